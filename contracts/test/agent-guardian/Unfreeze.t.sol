// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

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

    function test_unfreezesInTheEpochOfTheFreeze() public {
        freeze();
        vm.expectEmit(address(account));
        emit IGuardedAccount.Unfrozen();
        unfreeze();
        assertFalse(account.frozen());
        assertEq(account.epoch(), 1);
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
