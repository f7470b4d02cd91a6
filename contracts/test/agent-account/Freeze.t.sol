// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";
import {AccountFixture} from "../support/AccountFixture.sol";

contract FreezeTest is AccountFixture {
    function test_freezesAndStartsAnEpoch() public {
        vm.expectEmit(address(account));
        emit IGuardedAccount.Frozen(nextEpochId(account));
        freeze();
        assertTrue(account.frozen());
        assertEq(account.epoch(), 1);
        assertEq(account.signer(), signer);
    }

    function test_startsAnotherEpochOfAFrozenAccount() public {
        freeze();
        vm.expectEmit(address(account));
        emit IGuardedAccount.Frozen(nextEpochId(account));
        freeze();
        assertTrue(account.frozen());
        assertEq(account.epoch(), 2);
    }

    function testFuzz_startsAnEpochThatDependsOnTheSaltAndOnTheBlock(uint48 salt, uint48 other, uint32 block_) public {
        vm.assume(salt != other);
        vm.roll(uint256(block_) + 2);
        uint80 expected = nextEpochId(account, salt);
        uint256 snapshot = vm.snapshotState();
        vm.prank(freezer);
        guardian.freeze(account, salt);
        assertEq(account.epochId(), expected);
        vm.revertToState(snapshot);
        vm.prank(freezer);
        guardian.freeze(account, other);
        assertNotEq(account.epochId(), expected);
        vm.revertToState(snapshot);
        vm.roll(uint256(block_) + 3);
        vm.prank(freezer);
        guardian.freeze(account, salt);
        assertNotEq(account.epochId(), expected);
    }

    function test_refusesAnOperationThatWasSignedBefore() public {
        PackedUserOperation memory op = signedOperation(transferCall(recipient, 1));
        freeze();
        expectValidationRevert(abi.encodeWithSelector(AgentAccount.AccountFrozen.selector));
        handle(op);
    }

    function test_refusesAnOperationOfTheNewEpoch() public {
        freeze();
        PackedUserOperation memory op = signedOperation(transferCall(recipient, 1));
        expectValidationRevert(abi.encodeWithSelector(AgentAccount.AccountFrozen.selector));
        handle(op);
    }

    function test_refusesASessionKey() public {
        grantSession(address(token), 10e6);
        PackedUserOperation memory early = sessionOperation(address(token), 1);
        freeze();
        expectValidationRevert(abi.encodeWithSelector(AgentAccount.AccountFrozen.selector));
        handle(early);
        PackedUserOperation memory late = sessionOperation(address(token), 1);
        expectValidationRevert(abi.encodeWithSelector(AgentAccount.AccountFrozen.selector));
        handle(late);
    }

    function test_stillReceivesTheNativeCoin() public {
        freeze();
        hoax(stranger, 1 ether);
        (bool success,) = address(account).call{value: 1 ether}("");
        assertTrue(success);
        assertEq(address(account).balance, 11 ether);
    }

    function test_startsAnEpochEachTime() public {
        freeze();
        unfreeze();
        vm.expectEmit(address(account));
        emit IGuardedAccount.Frozen(nextEpochId(account));
        freeze();
        assertEq(account.epoch(), 3);
    }
}
