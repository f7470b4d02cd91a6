// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";
import {GuardianFixture} from "./GuardianFixture.sol";

/// @notice `AgentGuardian.unfreeze`
contract AgentGuardianUnfreezeTest is GuardianFixture {
    function test_onlyTheUnfreezerUnfreezes() public {
        freeze();
        assertOnlyRole(abi.encodeCall(guardian.unfreeze, (account)), unfreezer, guardian.UNFREEZER_ROLE());
        assertFalse(account.frozen());
    }

    function test_unfreezesAndStartsTheNextEpoch() public {
        freeze();
        vm.expectEmit(address(account));
        emit IGuardedAccount.Unfrozen(2);
        unfreeze();
        assertFalse(account.frozen());
        assertEq(account.epoch(), 2);
    }

    function test_acceptsNothingThatWasSignedBeforeOrDuringTheFreeze() public {
        PackedUserOperation memory before = signedOperation(transferCall(recipient, 1e6));
        freeze();
        PackedUserOperation memory during = signedOperation(transferCall(recipient, 1e6));
        unfreeze();
        expectValidationRevert(abi.encodeWithSelector(AgentAccount.StaleEpoch.selector, 0, 2));
        handle(before);
        expectValidationRevert(abi.encodeWithSelector(AgentAccount.StaleEpoch.selector, 1, 2));
        handle(during);
        handle(signedOperation(transferCall(recipient, 1e6)));
        assertEq(token.balanceOf(recipient), 1e6);
    }

    function test_changesNothingIfTheAccountIsNotFrozen() public {
        vm.recordLogs();
        unfreeze();
        assertEq(vm.getRecordedLogs().length, 0);
        assertEq(account.epoch(), 0);
    }

    function test_leavesOtherAccountsFrozen() public {
        vm.prank(freezer);
        guardian.freezeBatch(bothAccounts());
        unfreeze();
        assertFalse(account.frozen());
        assertTrue(secondAccount.frozen());
    }
}
