// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {SpendingPolicy} from "../../src/SpendingPolicy.sol";
import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";
import {AccountFixture} from "../support/AccountFixture.sol";

contract SetRecipientTest is AccountFixture {
    function setUp() public override {
        super.setUp();
        vm.prank(policyManager);
        guardian.setRecipientsRestricted(account, true);
    }

    function testFuzz_allowsARecipientAndEmitsIt(address to) public {
        assertFalse(account.isAllowedRecipient(to));
        vm.expectEmit(address(account));
        emit IGuardedAccount.RecipientSet(to, true);
        setRecipient(to, true);
        assertTrue(account.isAllowedRecipient(to));
    }

    function test_paysAnAllowedRecipientInTokensAndTheNativeCoin() public {
        setLimit(address(0), 1 ether);
        setRecipient(recipient, true);
        handle(signedOperation(transferCall(recipient, 1)));
        handle(signedOperation(abi.encodeCall(account.execute, (0, recipient, 1, ""))));
        assertEq(token.balanceOf(recipient), 1);
        assertEq(recipient.balance, 1);
    }

    function test_refusesARemovedRecipient() public {
        setRecipient(recipient, true);
        vm.expectEmit(address(account));
        emit IGuardedAccount.RecipientSet(recipient, false);
        setRecipient(recipient, false);
        assertFalse(account.isAllowedRecipient(recipient));
        vm.prank(ENTRY_POINT);
        vm.expectRevert(abi.encodeWithSelector(SpendingPolicy.RecipientDenied.selector, recipient));
        account.execute(0, address(token), 0, abi.encodeCall(token.transfer, (recipient, 1)));
    }

    function test_refusesTheAllowedTokenAsARecipientOfOtherTransfers() public {
        setRecipient(address(token), true);
        vm.prank(ENTRY_POINT);
        vm.expectRevert(abi.encodeWithSelector(SpendingPolicy.RecipientDenied.selector, recipient));
        account.execute(0, address(token), 0, abi.encodeCall(token.transfer, (recipient, 1)));
    }

    function setRecipient(address to, bool allowed) private {
        vm.prank(policyManager);
        guardian.setRecipient(account, to, allowed);
    }
}
