// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AgentAccount} from "../../src/AgentAccount.sol";
import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";
import {GuardianFixture} from "./GuardianFixture.sol";

/// @notice `AgentGuardian.freezeBatch`
contract AgentGuardianFreezeBatchTest is GuardianFixture {
    function test_onlyTheFreezerFreezesABatch() public {
        assertOnlyRole(
            abi.encodeCall(guardian.freezeBatch, (bothAccounts(), FREEZE_SALT)), freezer, guardian.FREEZER_ROLE()
        );
        assertTrue(account.frozen());
        assertTrue(secondAccount.frozen());
    }

    function test_onlyTheFreezerFreezesAnEmptyBatch() public {
        bytes memory call = abi.encodeCall(guardian.freezeBatch, (new IGuardedAccount[](0), FREEZE_SALT));
        assertOnlyRole(call, freezer, guardian.FREEZER_ROLE());
    }

    function test_emptyBatchChangesNothing() public {
        vm.recordLogs();
        freezeAll(new IGuardedAccount[](0));
        assertEq(vm.getRecordedLogs().length, 0);
    }

    function test_eachAccountEmitsItsFreeze() public {
        vm.expectEmit(address(account));
        emit IGuardedAccount.Frozen(nextEpochId(account));
        vm.expectEmit(address(secondAccount));
        emit IGuardedAccount.Frozen(nextEpochId(secondAccount));
        freezeAll(bothAccounts());
    }

    function test_frozenAccountStartsAnotherEpoch() public {
        freeze();
        freezeAll(bothAccounts());
        assertTrue(account.frozen());
        assertEq(account.epoch(), 2);
        assertTrue(secondAccount.frozen());
        assertEq(secondAccount.epoch(), 1);
    }

    function test_duplicateIsFrozen() public {
        freezeAll(batch(account, account));
        assertTrue(account.frozen());
    }

    function test_namesNoAccountThatItFroze() public {
        vm.recordLogs();
        freezeAll(bothAccounts());
        assertEq(vm.getRecordedLogs().length, 2);
        assertTrue(account.frozen() && secondAccount.frozen());
    }

    function testFuzz_freezesEveryAccountOfABatch(uint8 size) public {
        IGuardedAccount[] memory accounts = new IGuardedAccount[](size % 40);
        for (uint256 i = 0; i < accounts.length; ++i) {
            accounts[i] = IGuardedAccount(factory.createAccount(signer, address(0), bytes32(i + 1)));
        }
        freezeAll(accounts);
        for (uint256 i = 0; i < accounts.length; ++i) {
            assertTrue(AgentAccount(payable(address(accounts[i]))).frozen());
        }
    }

    function freezeAll(IGuardedAccount[] memory accounts) private {
        vm.prank(freezer);
        guardian.freezeBatch(accounts, FREEZE_SALT);
    }
}
