// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AgentAccount} from "../../src/AgentAccount.sol";
import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";
import {GuardianFixture} from "./GuardianFixture.sol";

/// @notice `AgentGuardian.cancelRecovery`
contract AgentGuardianCancelRecoveryTest is GuardianFixture {
    function test_onlyTheFreezerCancelsARecovery() public {
        startRecovery();
        bytes memory call = abi.encodeCall(guardian.cancelRecovery, (secondAccount));
        assertOnlyRole(call, freezer, guardian.FREEZER_ROLE());
    }

    function test_recoveryAddressCannotCancelThroughTheGuardian() public {
        startRecovery();
        assertRefused(abi.encodeCall(guardian.cancelRecovery, (secondAccount)), recoverer, guardian.FREEZER_ROLE());
    }

    function test_canceledRecoveryCannotBeFinished() public {
        startRecovery();
        skipTime(secondAccount.RECOVERY_DELAY());
        vm.expectEmit(address(secondAccount));
        emit IGuardedAccount.RecoveryCanceled();
        vm.prank(freezer);
        guardian.cancelRecovery(secondAccount);
        (, address pendingSigner, uint48 recoverableAt) = secondAccount.recovery();
        assertEq(pendingSigner, address(0));
        assertEq(recoverableAt, 0);
        vm.expectRevert(AgentAccount.RecoveryNotReady.selector);
        vm.prank(recoverer);
        secondAccount.finishRecovery();
        assertEq(secondAccount.signer(), signer);
    }

    function test_changesNothingIfNoRecoveryHasStarted() public {
        vm.recordLogs();
        vm.prank(freezer);
        guardian.cancelRecovery(secondAccount);
        assertEq(vm.getRecordedLogs().length, 0);
    }

    function startRecovery() private {
        vm.prank(recoverer);
        secondAccount.startRecovery(stranger);
    }
}
