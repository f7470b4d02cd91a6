// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AgentAccount} from "../../src/AgentAccount.sol";
import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";
import {GuardianFixture} from "./GuardianFixture.sol";

/// @notice `AgentGuardian.removeRecovery`
contract AgentGuardianRemoveRecoveryTest is GuardianFixture {
    function test_onlyTheUpgraderRemovesARecoveryAddress() public {
        bytes memory call = abi.encodeCall(guardian.removeRecovery, (secondAccount));
        assertOnlyRole(call, upgrader, guardian.UPGRADER_ROLE());
    }

    function test_recoveryAddressCannotRemoveItselfThroughTheGuardian() public {
        assertRefused(abi.encodeCall(guardian.removeRecovery, (secondAccount)), recoverer, guardian.UPGRADER_ROLE());
    }

    function test_stopsTheRecoveryThatHasStarted() public {
        vm.prank(recoverer);
        secondAccount.startRecovery(stranger);
        skipTime(secondAccount.RECOVERY_DELAY());
        removeRecovery();
        assertRecovery(address(0));
        vm.expectRevert(AgentAccount.OnlyRecovery.selector);
        vm.prank(recoverer);
        secondAccount.finishRecovery();
        assertEq(secondAccount.signer(), signer);
    }

    function test_removedAddressCannotStartARecovery() public {
        removeRecovery();
        vm.expectRevert(AgentAccount.OnlyRecovery.selector);
        vm.prank(recoverer);
        secondAccount.startRecovery(stranger);
    }

    function test_addressThatTheSignerSetsNextDoesNotContinueTheRecovery() public {
        vm.prank(recoverer);
        secondAccount.startRecovery(stranger);
        removeRecovery();
        account = secondAccount;
        approveRecovery(recipient);
        handle(signedOperation(abi.encodeCall(account.setRecovery, (0, recipient))));
        assertRecovery(recipient);
        skipTime(secondAccount.RECOVERY_DELAY());
        vm.expectRevert(AgentAccount.RecoveryNotReady.selector);
        vm.prank(recipient);
        secondAccount.finishRecovery();
    }

    function test_leavesTheRecoveryAddressesOfOtherAccounts() public {
        AgentAccount thirdAccount = createAccount(stranger, recoverer);
        removeRecovery();
        (address recovery,,) = thirdAccount.recovery();
        assertEq(recovery, recoverer);
    }

    function removeRecovery() private {
        vm.expectEmit(address(secondAccount));
        emit IGuardedAccount.RecoveryRemoved();
        vm.prank(upgrader);
        guardian.removeRecovery(secondAccount);
    }

    /// @notice Expects this recovery address, and that no recovery has started.
    function assertRecovery(address expected) private view {
        (address recovery, address pendingSigner, uint48 recoverableAt) = secondAccount.recovery();
        assertEq(recovery, expected);
        assertEq(pendingSigner, address(0));
        assertEq(recoverableAt, 0);
    }
}
