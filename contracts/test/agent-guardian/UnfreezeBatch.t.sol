// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";
import {GuardianFixture} from "./GuardianFixture.sol";

/// @notice `AgentGuardian.unfreezeBatch`
contract AgentGuardianUnfreezeBatchTest is GuardianFixture {
    function test_onlyTheUnfreezerUnfreezesABatch() public {
        freezeBoth();
        bytes memory call = abi.encodeCall(guardian.unfreezeBatch, (bothAccounts()));
        assertOnlyRole(call, unfreezer, guardian.UNFREEZER_ROLE());
        assertFalse(account.frozen());
        assertFalse(secondAccount.frozen());
    }

    function test_onlyTheUnfreezerUnfreezesAnEmptyBatch() public {
        bytes memory call = abi.encodeCall(guardian.unfreezeBatch, (new IGuardedAccount[](0)));
        assertOnlyRole(call, unfreezer, guardian.UNFREEZER_ROLE());
    }

    function test_emptyBatchChangesNothing() public {
        freezeBoth();
        vm.recordLogs();
        unfreezeAll(new IGuardedAccount[](0));
        assertEq(vm.getRecordedLogs().length, 0);
        assertTrue(account.frozen());
    }

    function test_eachAccountEmitsItsUnfreeze() public {
        freezeBoth();
        vm.expectEmit(address(account));
        emit IGuardedAccount.Unfrozen();
        vm.expectEmit(address(secondAccount));
        emit IGuardedAccount.Unfrozen();
        unfreezeAll(bothAccounts());
    }

    function test_accountThatIsNotFrozenStaysSo() public {
        freeze();
        unfreezeAll(bothAccounts());
        assertFalse(account.frozen());
        assertFalse(secondAccount.frozen());
        assertEq(secondAccount.epoch(), 0);
    }

    function test_duplicateEmitsOnce() public {
        freeze();
        vm.recordLogs();
        unfreezeAll(batch(account, account));
        assertEq(vm.getRecordedLogs().length, 1);
        assertFalse(account.frozen());
    }

    function test_unfreezesNoneIfOneIsNotDeployed() public {
        freezeBoth();
        IGuardedAccount missing = IGuardedAccount(factory.accountOf(stranger, address(0), SALT_ZERO));
        vm.expectRevert();
        unfreezeAll(batch(account, missing));
        assertTrue(account.frozen());
    }

    function freezeBoth() private {
        vm.prank(freezer);
        guardian.freezeBatch(bothAccounts());
    }

    function unfreezeAll(IGuardedAccount[] memory accounts) private {
        vm.prank(unfreezer);
        guardian.unfreezeBatch(accounts);
    }
}
