// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";
import {GuardianFixture} from "./GuardianFixture.sol";

/// @notice `AgentGuardian.setRecipient`
contract AgentGuardianSetRecipientTest is GuardianFixture {
    function test_onlyThePolicyManagerAllowsARecipient() public {
        bytes memory call = abi.encodeCall(guardian.setRecipient, (account, recipient, true));
        assertOnlyRole(call, policyManager, guardian.POLICY_ROLE());
    }

    function test_allowsARecipientOfOneAccountUntilItIsRemoved() public {
        vm.startPrank(policyManager);
        vm.expectEmit(address(account));
        emit IGuardedAccount.RecipientSet(recipient, true);
        guardian.setRecipient(account, recipient, true);
        assertTrue(account.isAllowedRecipient(recipient));
        assertFalse(account.isAllowedRecipient(stranger));
        assertFalse(secondAccount.isAllowedRecipient(recipient));
        vm.expectEmit(address(account));
        emit IGuardedAccount.RecipientSet(recipient, false);
        guardian.setRecipient(account, recipient, false);
        assertFalse(account.isAllowedRecipient(recipient));
    }
}
