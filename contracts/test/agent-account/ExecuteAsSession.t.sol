// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {SpendingPolicy} from "../../src/SpendingPolicy.sol";
import {AccountFixture} from "../support/AccountFixture.sol";

contract ExecuteAsSessionTest is AccountFixture {
    uint96 private constant SESSION_LIMIT = 100e6;

    function setUp() public override {
        super.setUp();
        grantSession(address(token), SESSION_LIMIT);
    }

    function test_transfersTheTokenForTheSessionKey() public {
        handle(sessionOperation(address(token), 30e6));
        assertEq(token.balanceOf(recipient), 30e6);
        assertEq(account.sessionOf(sessionSigner).spent, 30e6);
        (, uint256 spent) = account.limitOf(address(token));
        assertEq(spent, 30e6);
    }

    function test_sendsTheNativeCoinForASessionOfIt() public {
        setLimit(address(0), 1 ether);
        grantSession(address(0), 0.5 ether);
        handle(sessionOperation(address(0), 0.5 ether));
        assertEq(recipient.balance, 0.5 ether);
        (, uint256 spent) = account.limitOf(address(0));
        assertEq(spent, 0.5 ether);
    }

    function test_transfersExactlyTheSessionLimitAndNothingMore() public {
        spend(SESSION_LIMIT - 1);
        spend(1);
        assertEq(token.balanceOf(recipient), SESSION_LIMIT);
        vm.prank(ENTRY_POINT);
        vm.expectRevert(sessionLimitExceeded(1, 0));
        account.executeAsSession(0, sessionSigner, SESSION, address(token), recipient, 1);
    }

    function test_refusesOneMoreThanTheSessionLimit() public {
        spend(1e6);
        PackedUserOperation memory op = sessionOperation(address(token), SESSION_LIMIT - 1e6 + 1);
        expectValidationRevert(sessionLimitExceeded(SESSION_LIMIT - 1e6 + 1, SESSION_LIMIT - 1e6));
        handle(op);
        assertEq(token.balanceOf(recipient), 1e6);
        assertEq(account.sessionOf(sessionSigner).spent, 1e6);
    }

    function test_refusesAnAmountThatWrapsInTheSession() public {
        vm.startPrank(ENTRY_POINT);
        vm.expectRevert(sessionLimitExceeded(1 << 96, SESSION_LIMIT));
        account.executeAsSession(0, sessionSigner, SESSION, address(token), recipient, 1 << 96);
        vm.expectRevert(sessionLimitExceeded(type(uint256).max, SESSION_LIMIT));
        account.executeAsSession(0, sessionSigner, SESSION, address(token), recipient, type(uint256).max);
    }

    function test_refusesWhatIsOverTheLimitOfTheAccount() public {
        setLimit(address(token), 50e6);
        vm.prank(ENTRY_POINT);
        vm.expectRevert(
            abi.encodeWithSelector(SpendingPolicy.LimitExceeded.selector, token, uint256(50e6 + 1), uint256(50e6))
        );
        account.executeAsSession(0, sessionSigner, SESSION, address(token), recipient, 50e6 + 1);
        assertEq(account.sessionOf(sessionSigner).spent, 0);
    }

    function test_sharesTheLimitOfTheAccountWithTheSigner() public {
        handle(signedOperation(transferCall(recipient, DEFAULT_LIMIT - 10)));
        vm.prank(ENTRY_POINT);
        vm.expectRevert(abi.encodeWithSelector(SpendingPolicy.LimitExceeded.selector, token, uint256(11), uint256(10)));
        account.executeAsSession(0, sessionSigner, SESSION, address(token), recipient, 11);
        spend(10);
        assertEq(token.balanceOf(recipient), DEFAULT_LIMIT);
    }

    function test_staysWithinTheSessionLimitOnTheNextDay() public {
        spend(SESSION_LIMIT);
        skipTime(1 days);
        vm.prank(ENTRY_POINT);
        vm.expectRevert(sessionLimitExceeded(1, 0));
        account.executeAsSession(0, sessionSigner, SESSION, address(token), recipient, 1);
    }

    function test_refusesAnAllowedAmountToADeniedRecipient() public {
        vm.prank(policyManager);
        guardian.setRecipientsRestricted(account, true);
        vm.prank(ENTRY_POINT);
        vm.expectRevert(abi.encodeWithSelector(SpendingPolicy.RecipientDenied.selector, recipient));
        account.executeAsSession(0, sessionSigner, SESSION, address(token), recipient, 1);
    }

    function test_refusesEveryAmountAndNothingForASessionWithALimitOfZero() public {
        grantSession(address(token), 0);
        for (uint256 amount = 0; amount < 2; ++amount) {
            PackedUserOperation memory op = sessionOperation(address(token), amount);
            expectValidationRevert(sessionLimitExceeded(amount, 0));
            handle(op);
        }
    }

    function test_refusesAnotherTokenThanThatOfTheSession() public {
        setLimit(address(0), 1 ether);
        PackedUserOperation memory op = sessionOperation(address(0), 1);
        expectSessionDenied(sessionSigner, address(0));
        handle(op);
        assertEq(recipient.balance, 0);
    }

    function test_refusesAnERC20TokenForASessionOfTheNativeCoin() public {
        grantSession(address(0), SESSION_LIMIT);
        vm.prank(ENTRY_POINT);
        vm.expectRevert(sessionDenied(sessionSigner, address(token)));
        account.executeAsSession(0, sessionSigner, SESSION + 1, address(token), recipient, 1);
    }

    function test_refusesAKeyWithoutASession() public {
        setLimit(address(0), 1 ether);
        vm.startPrank(ENTRY_POINT);
        vm.expectRevert(sessionDenied(stranger, address(token)));
        account.executeAsSession(0, stranger, SESSION, address(token), recipient, 1);
        // The token and the epoch of a key without a session are zero, as those of the native coin in epoch zero.
        vm.expectRevert(sessionDenied(stranger, address(0)));
        account.executeAsSession(0, stranger, SESSION, address(0), recipient, 1);
        vm.expectRevert(sessionDenied(signer, address(token)));
        account.executeAsSession(0, signer, SESSION, address(token), recipient, 1);
    }

    function test_refusesASessionOfAnEarlierEpoch() public {
        freeze();
        unfreeze();
        (bool success, bytes memory result) = callAccount(ENTRY_POINT, sessionCall(address(token), recipient, 1));
        assertFalse(success);
        assertEq(result, sessionDenied(sessionSigner, address(token)));
    }

    function test_refusesAKeyWithDirtyUpperBits() public {
        bytes memory callData = sessionCall(address(token), recipient, 1);
        // The second argument starts after the selector and the epoch; its first byte is above those of the address.
        callData[36] = 0x01;
        PackedUserOperation memory op = signSession(callData, START + 1 days);
        expectValidationRevert("");
        handle(op);
        (bool success, bytes memory result) = callAccount(ENTRY_POINT, callData);
        assertFalse(success);
        assertEq(result, "");
    }

    function testFuzz_neverTransfersMoreThanTheSessionLimit(uint96 limit, uint256[8] calldata amounts) public {
        setLimit(address(token), type(uint96).max);
        limit = uint96(bound(limit, 0, 1_000e6));
        grantSession(address(token), limit);
        for (uint256 i = 0; i < amounts.length; ++i) {
            uint256 remaining = limit - account.sessionOf(sessionSigner).spent;
            uint256 amount = bound(amounts[i], 0, 400e6);
            (bool success,) = callAccount(ENTRY_POINT, sessionCall(address(token), recipient, amount));
            assertEq(success, amount != 0 && amount <= remaining);
        }
        assertLe(token.balanceOf(recipient), limit);
        assertEq(token.balanceOf(recipient), account.sessionOf(sessionSigner).spent);
    }

    function spend(uint256 amount) private {
        vm.prank(ENTRY_POINT);
        account.executeAsSession(0, sessionSigner, SESSION, address(token), recipient, amount);
    }

    function sessionDenied(address key, address sessionToken) private pure returns (bytes memory) {
        return abi.encodeWithSelector(AgentAccount.SessionDenied.selector, key, sessionToken);
    }

    function sessionLimitExceeded(uint256 amount, uint256 remaining) private view returns (bytes memory) {
        return abi.encodeWithSelector(AgentAccount.SessionLimitExceeded.selector, sessionSigner, amount, remaining);
    }
}
