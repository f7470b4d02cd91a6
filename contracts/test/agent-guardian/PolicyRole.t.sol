// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {GuardianFixture} from "./GuardianFixture.sol";

/// @notice Who may set the rules of an account. `spending-policy` tests what they do.
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
}
