// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AgentAccount} from "../../src/AgentAccount.sol";
import {RecoveryFixture} from "../support/RecoveryFixture.sol";

contract StartRecoveryTest is RecoveryFixture {
    function test_waitsForThreeDays() public view {
        assertEq(account.RECOVERY_DELAY(), 3 days);
    }

    function test_startsTheDelayAndEmitsIt() public {
        vm.expectEmit(address(account));
        emit AgentAccount.RecoveryStarted(newSigner, START + 3 days);
        startRecovery();
        assertRecovery(newSigner, START + 3 days);
        assertEq(account.signer(), signer);
        assertEq(account.epoch(), 0);
    }

    function test_startsTheDelayAgain() public {
        startRecovery();
        vm.warp(START + 3 days - 1);
        vm.prank(recoverer);
        vm.expectEmit(address(account));
        emit AgentAccount.RecoveryStarted(stranger, START + 6 days - 1);
        account.startRecovery(stranger);
        assertRecovery(stranger, START + 6 days - 1);
    }

    function test_startsWhileTheAccountIsFrozen() public {
        freeze();
        startRecovery();
        assertRecovery(newSigner, START + 3 days);
        assertTrue(account.frozen());
    }

    function test_startsAfterOneWasCanceled() public {
        startRecovery();
        cancelRecovery();
        skipTime(1 hours);
        startRecovery();
        assertRecovery(newSigner, START + 1 hours + 3 days);
    }

    function test_leavesTheSignerInChargeDuringTheDelay() public {
        startRecovery();
        handle(signedOperation(transferCall(recipient, 1)));
        assertEq(token.balanceOf(recipient), 1);
    }

    function test_refusesTheZeroSigner() public {
        vm.prank(recoverer);
        vm.expectRevert(AgentAccount.InvalidSigner.selector);
        account.startRecovery(address(0));
        assertRecovery(address(0), 0);
    }
}
