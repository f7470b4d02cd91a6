// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";
import {RecoveryFixture} from "../support/RecoveryFixture.sol";

contract CancelRecoveryTest is RecoveryFixture {
    function test_stopsTheRecoveryAndEmitsIt() public {
        startRecovery();
        vm.expectEmit(address(account));
        emit IGuardedAccount.RecoveryCanceled();
        cancelRecovery();
        assertRecovery(address(0), 0);
        assertEq(account.signer(), signer);
        assertEq(account.epoch(), 0);
    }

    function test_doesNothingWhenNoneHasStarted() public {
        vm.recordLogs();
        cancelRecovery();
        assertEq(vm.getRecordedLogs().length, 0);
        assertRecovery(address(0), 0);
    }

    function test_doesNothingToAFinishedRecovery() public {
        startRecovery();
        vm.warp(START + 3 days);
        finishRecovery();
        vm.recordLogs();
        cancelRecovery();
        assertEq(vm.getRecordedLogs().length, 0);
        assertEq(account.signer(), newSigner);
    }

    function test_stopsARecoveryThatCouldBeFinished() public {
        startRecovery();
        vm.warp(START + 4 days);
        cancelRecovery();
        assertRecovery(address(0), 0);
    }

    function test_stopsARecoveryWhileTheAccountIsFrozen() public {
        startRecovery();
        freeze();
        cancelRecovery();
        assertRecovery(address(0), 0);
        assertTrue(account.frozen());
    }
}
