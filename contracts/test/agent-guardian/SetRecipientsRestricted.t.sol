// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";
import {GuardianFixture} from "./GuardianFixture.sol";

/// @notice `AgentGuardian.setRecipientsRestricted`
contract AgentGuardianSetRecipientsRestrictedTest is GuardianFixture {
    function test_onlyThePolicyManagerRestrictsRecipients() public {
        bytes memory call = abi.encodeCall(guardian.setRecipientsRestricted, (account, true));
        assertOnlyRole(call, policyManager, guardian.POLICY_ROLE());
    }

    function test_restrictsOneAccountUntilItIsLifted() public {
        vm.startPrank(policyManager);
        vm.expectEmit(address(account));
        emit IGuardedAccount.RecipientsRestricted(true);
        guardian.setRecipientsRestricted(account, true);
        assertTrue(account.recipientsRestricted());
        assertFalse(secondAccount.recipientsRestricted());
        vm.expectEmit(address(account));
        emit IGuardedAccount.RecipientsRestricted(false);
        guardian.setRecipientsRestricted(account, false);
        assertFalse(account.recipientsRestricted());
    }
}
