// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AgentGuardian} from "../../src/AgentGuardian.sol";
import {GuardianFixture} from "./GuardianFixture.sol";

/// @notice Who may set the rules of an account and approve its recovery address. `spending-policy` tests what rules do.
contract AgentGuardianPolicyRoleTest is GuardianFixture {
    function test_onlyThePolicyManagerSetsTheRulesOfAnAccount() public {
        bytes[5] memory calls = [
            abi.encodeCall(guardian.setLimit, (account, address(token), 5e6)),
            abi.encodeCall(guardian.removeLimit, (account, address(token))),
            abi.encodeCall(guardian.setRecipient, (account, recipient, true)),
            abi.encodeCall(guardian.setRecipientsRestricted, (account, true)),
            abi.encodeCall(guardian.setCosigner, (account, cosigner))
        ];
        for (uint256 i = 0; i < calls.length; ++i) {
            assertOnlyRole(calls[i], policyManager, guardian.POLICY_ROLE());
        }
    }

    function test_onlyThePolicyManagerDeploysWithRules() public {
        bytes[] memory none = new bytes[](0);
        assertOnlyRole(
            abi.encodeCall(guardian.deployAndConfigure, (factory, stranger, address(0), SALT_ZERO, none)),
            policyManager,
            guardian.POLICY_ROLE()
        );
    }

    function test_onlyTheUpgraderApprovesARecoveryAddress() public {
        bytes memory call = abi.encodeCall(guardian.approveRecovery, (address(account), recoverer));
        assertOnlyRole(call, upgrader, guardian.UPGRADER_ROLE());
        assertEq(guardian.approvedRecovery(address(account)), recoverer);
        vm.expectEmit(address(guardian));
        emit AgentGuardian.RecoveryApproved(address(account), stranger);
        approveRecovery(stranger);
    }
}
