// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {RecoveryFixture} from "../support/RecoveryFixture.sol";

contract FinishRecoveryTest is RecoveryFixture {
    function test_replacesTheSignerWhenTheDelayHasPassed() public {
        startRecovery();
        vm.warp(START + 3 days);
        vm.expectEmit(address(account));
        emit AgentAccount.SignerChanged(newSigner, nextEpochId(account, uint160(newSigner)));
        vm.expectEmit(address(account));
        emit AgentAccount.RecoveryFinished(newSigner);
        finishRecovery();
        assertEq(account.signer(), newSigner);
        assertEq(account.epoch(), 1);
        assertRecovery(address(0), 0);
    }

    function test_refusesOneSecondBeforeTheDelayHasPassed() public {
        startRecovery();
        vm.warp(START + 3 days - 1);
        vm.expectRevert(AgentAccount.RecoveryNotReady.selector);
        finishRecovery();
        assertEq(account.signer(), signer);
    }

    function test_acceptsTheLastSecondOfTheWindow() public {
        assertEq(account.RECOVERY_WINDOW(), 7 days);
        startRecovery();
        vm.warp(START + 10 days);
        finishRecovery();
        assertEq(account.signer(), newSigner);
    }

    function test_refusesOneSecondAfterTheWindow() public {
        startRecovery();
        vm.warp(START + 10 days + 1);
        vm.expectRevert(AgentAccount.RecoveryNotReady.selector);
        finishRecovery();
        assertEq(account.signer(), signer);
    }

    function test_finishesARecoveryThatWasStartedAgainAfterTheWindow() public {
        startRecovery();
        vm.warp(START + 11 days);
        startRecovery();
        vm.warp(START + 14 days);
        finishRecovery();
        assertEq(account.signer(), newSigner);
    }

    function test_refusesWhenNoneHasStarted() public {
        vm.expectRevert(AgentAccount.RecoveryNotReady.selector);
        finishRecovery();
    }

    function test_refusesACanceledRecovery() public {
        startRecovery();
        cancelRecovery();
        vm.warp(START + 3 days);
        vm.expectRevert(AgentAccount.RecoveryNotReady.selector);
        finishRecovery();
        assertEq(account.signer(), signer);
    }

    function test_refusesASecondTime() public {
        startRecovery();
        vm.warp(START + 3 days);
        finishRecovery();
        vm.expectRevert(AgentAccount.RecoveryNotReady.selector);
        finishRecovery();
        assertEq(account.epoch(), 1);
    }

    function test_waitsForTheDelayOfTheLastStart() public {
        startRecovery();
        vm.warp(START + 3 days);
        startRecovery();
        vm.warp(START + 6 days - 1);
        vm.expectRevert(AgentAccount.RecoveryNotReady.selector);
        finishRecovery();
        vm.warp(START + 6 days);
        finishRecovery();
        assertEq(account.signer(), newSigner);
    }

    function test_keepsTheAccountFrozen() public {
        freeze();
        startRecovery();
        vm.warp(START + 3 days);
        finishRecovery();
        assertTrue(account.frozen());
        assertEq(account.signer(), newSigner);
        assertEq(account.epoch(), 2);
    }

    function test_endsWhatTheLostSignerSigned() public {
        PackedUserOperation memory early =
            signOperation(withSponsor(operation(transferCall(recipient, 1))), signerKey, START + 9 days);
        startRecovery();
        vm.warp(START + 3 days);
        finishRecovery();
        expectValidationRevert(abi.encodeWithSelector(AgentAccount.StaleEpoch.selector, 0, 1));
        handle(early);
        PackedUserOperation memory late = operation(transferCall(recipient, 1));
        late.paymasterAndData = early.paymasterAndData;
        assertEq(validate(signOperation(late, signerKey, START + 9 days)), 1);
        uint256 validUntil = START + 9 days;
        assertEq(validate(signOperation(late, newSignerKey, START + 9 days)), validUntil << 160);
    }

    function test_endsAllSessions() public {
        startRecovery();
        vm.warp(START + 3 days);
        grantSession(address(token), 10e6);
        finishRecovery();
        bytes memory callData = sessionCall(address(token), recipient, 1);
        PackedUserOperation memory op = operationInLane(uint160(sessionSigner), callData);
        op = signOperation(sponsorFor(op, 0, START + 9 days), sessionKey, START + 9 days);
        expectSessionDenied(sessionSigner, address(token));
        handle(op);
        (bool success, bytes memory result) = callAccount(ENTRY_POINT, callData);
        assertFalse(success);
        assertEq(result, abi.encodeWithSelector(AgentAccount.SessionDenied.selector, sessionSigner, token));
    }

    function test_endsWhatTheLostSignerSignedInTheSameBundle() public {
        vm.warp(START - 3 days);
        // The recovery address is an account, so that its operation can finish the recovery within the bundle.
        AgentAccount recovering = createAccount(newSigner, address(0));
        AgentAccount lost = createAccount(signer, address(recovering));
        vm.prank(address(recovering));
        lost.startRecovery(newSigner);
        vm.warp(START);
        PackedUserOperation[] memory ops = new PackedUserOperation[](2);
        account = lost;
        ops[1] = signedOperation(transferCall(recipient, 1));
        account = recovering;
        setCall(address(lost), lost.finishRecovery.selector, true);
        bytes memory callData =
            abi.encodeCall(account.execute, (0, address(lost), 0, abi.encodeCall(lost.finishRecovery, ())));
        ops[0] = signOperation(withSponsor(operation(callData)), newSignerKey, START + 1);
        uint80 next = nextEpochId(lost, uint160(newSigner));
        expectExecutionRevert(ops[1], abi.encodeWithSelector(AgentAccount.StaleEpoch.selector, 0, next));
        handleBundle(ops);
        assertEq(lost.signer(), newSigner);
        assertEq(token.balanceOf(recipient), 0);
    }

    function testFuzz_neverFinishesWithinTheDelay(uint256 waited) public {
        startRecovery();
        vm.warp(START + bound(waited, 0, 3 days - 1));
        vm.expectRevert(AgentAccount.RecoveryNotReady.selector);
        finishRecovery();
    }

    function testFuzz_neverFinishesAfterTheWindow(uint48 waited) public {
        startRecovery();
        vm.warp(bound(waited, START + 10 days + 1, type(uint48).max));
        vm.expectRevert(AgentAccount.RecoveryNotReady.selector);
        finishRecovery();
    }
}
