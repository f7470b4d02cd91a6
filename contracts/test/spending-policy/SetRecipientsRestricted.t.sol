// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {SpendingPolicy} from "../../src/SpendingPolicy.sol";
import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";
import {AccountFixture} from "../support/AccountFixture.sol";

contract SetRecipientsRestrictedTest is AccountFixture {
    function test_restrictsRecipientsAndEmitsIt() public {
        assertFalse(account.recipientsRestricted());
        vm.expectEmit(address(account));
        emit IGuardedAccount.RecipientsRestricted(true);
        restrict(true);
        assertTrue(account.recipientsRestricted());
        vm.expectEmit(address(account));
        emit IGuardedAccount.RecipientsRestricted(false);
        restrict(false);
        assertFalse(account.recipientsRestricted());
    }

    function test_keepsTheSignerTheFreezeAndTheEpoch() public {
        freeze();
        restrict(true);
        assertEq(account.signer(), signer);
        assertTrue(account.frozen());
        assertEq(account.epoch(), 1);
    }

    function testFuzz_refusesATransferOfATokenToAnyoneNotAllowed(address to, uint256 amount) public {
        restrict(true);
        vm.prank(ENTRY_POINT);
        vm.expectRevert(abi.encodeWithSelector(SpendingPolicy.RecipientDenied.selector, to));
        account.execute(0, address(token), 0, abi.encodeCall(token.transfer, (to, amount)));
    }

    function test_refusesTheNativeCoinToAnyoneNotAllowed() public {
        setLimit(address(0), 1 ether);
        restrict(true);
        vm.prank(ENTRY_POINT);
        vm.expectRevert(abi.encodeWithSelector(SpendingPolicy.RecipientDenied.selector, recipient));
        account.execute(0, recipient, 1, "");
    }

    function test_paysAnyoneWhenRecipientsAreNoLongerRestricted() public {
        restrict(true);
        restrict(false);
        handle(signedOperation(transferCall(recipient, 1)));
        assertEq(token.balanceOf(recipient), 1);
    }

    function test_allowsNoRecipientByItself() public {
        assertFalse(account.isAllowedRecipient(recipient));
        vm.prank(policyManager);
        guardian.setRecipient(account, stranger, true);
        assertTrue(account.isAllowedRecipient(stranger));
        restrict(true);
        assertFalse(account.isAllowedRecipient(recipient));
        assertTrue(account.isAllowedRecipient(stranger));
    }

    function restrict(bool restricted) private {
        vm.prank(policyManager);
        guardian.setRecipientsRestricted(account, restricted);
    }
}
