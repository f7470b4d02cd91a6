// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AgentAccount} from "../../src/AgentAccount.sol";
import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";
import {RecoveryFixture} from "../support/RecoveryFixture.sol";

contract RemoveRecoveryTest is RecoveryFixture {
    function test_removesTheRecoveryAddressAndEmitsIt() public {
        vm.expectEmit(address(account));
        emit IGuardedAccount.RecoveryRemoved();
        removeRecovery();
        assertNoRecovery();
        assertEq(account.signer(), signer);
        assertEq(account.epoch(), 0);
        vm.expectRevert(AgentAccount.OnlyRecovery.selector);
        startRecovery();
    }

    function test_stopsTheRecoveryThatHasStarted() public {
        startRecovery();
        removeRecovery();
        assertNoRecovery();
        vm.warp(START + 3 days);
        vm.expectRevert(AgentAccount.OnlyRecovery.selector);
        finishRecovery();
    }

    function test_leavesNothingForTheNextRecoveryAddressToFinish() public {
        startRecovery();
        removeRecovery();
        approveRecovery(recoverer);
        vm.prank(ENTRY_POINT);
        account.setRecovery(0, recoverer);
        assertRecovery(address(0), 0);
        vm.warp(START + 3 days);
        vm.expectRevert(AgentAccount.RecoveryNotReady.selector);
        finishRecovery();
    }

    function test_acceptsAnAccountWithoutARecoveryAddress() public {
        removeRecovery();
        removeRecovery();
        assertNoRecovery();
    }

    function test_removesItWhileTheAccountIsFrozen() public {
        freeze();
        removeRecovery();
        assertNoRecovery();
        assertTrue(account.frozen());
    }

    function removeRecovery() private {
        vm.prank(upgrader);
        guardian.removeRecovery(account);
    }

    function assertNoRecovery() private view {
        (address recovery, address pendingSigner, uint48 recoverableAt) = account.recovery();
        assertEq(recovery, address(0));
        assertEq(pendingSigner, address(0));
        assertEq(recoverableAt, 0);
    }
}
