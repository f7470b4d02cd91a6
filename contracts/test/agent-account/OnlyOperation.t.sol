// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Account} from "@openzeppelin/contracts/account/Account.sol";
import {AccountStorage} from "../../src/AccountStorage.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {NextAccount} from "../support/Implementations.sol";
import {RecoveryFixture} from "../support/RecoveryFixture.sol";

/// @notice Every function of the signer, called in a way in which an operation succeeds.
contract OnlyOperationTest is RecoveryFixture {
    bytes[] private calls;
    address private next;

    function setUp() public override {
        super.setUp();
        vm.startPrank(upgrader);
        next = address(new NextAccount(guardian));
        guardian.approveImplementation(next, true);
        guardian.removeRecovery(account);
        guardian.approveRecovery(address(account), stranger);
        vm.stopPrank();
        grantSession(address(token), 10e6);
        encodeCalls();
    }

    /// @dev The calls of the account's epoch.
    function encodeCalls() private {
        delete calls;
        uint80 epochId = account.epochId();
        AgentAccount.Call[] memory batch = new AgentAccount.Call[](1);
        batch[0] = AgentAccount.Call(address(token), 0, abi.encodeCall(token.transfer, (recipient, 1)));
        calls.push(transferCall(recipient, 1));
        calls.push(abi.encodeCall(account.transfer, (epochId, address(token), recipient, 1)));
        calls.push(abi.encodeCall(account.executeBatch, (epochId, batch)));
        calls.push(abi.encodeCall(account.executeBatch, (epochId, new AgentAccount.Call[](0))));
        calls.push(sessionCall(address(token), recipient, 1));
        calls.push(abi.encodeCall(account.grantSession, (epochId, stranger, address(token), 1, START, START + 1)));
        calls.push(abi.encodeCall(account.revokeSession, (epochId, sessionSigner)));
        calls.push(abi.encodeCall(account.setRecovery, (epochId, stranger)));
        calls.push(abi.encodeCall(account.upgrade, (epochId, next)));
        calls.push(abi.encodeCall(account.changeSigner, (epochId, newSigner)));
    }

    function test_acceptsEachFromTheEntryPoint() public {
        for (uint256 i = 0; i < calls.length; ++i) {
            uint256 snapshot = vm.snapshotState();
            (bool success,) = callAccount(ENTRY_POINT, calls[i]);
            assertTrue(success, vm.toString(calls[i]));
            vm.revertToState(snapshot);
        }
    }

    function test_refusesEveryoneElseWithAPowerOverTheAccount() public {
        address[10] memory callers = [
            signer,
            sessionSigner,
            recoverer,
            address(guardian),
            admin,
            freezer,
            policyManager,
            upgrader,
            address(paymaster),
            address(account)
        ];
        for (uint256 i = 0; i < callers.length; ++i) {
            assertRefused(callers[i]);
        }
    }

    function testFuzz_refusesAnyOtherCaller(address caller) public {
        vm.assume(caller != ENTRY_POINT);
        assertRefused(caller);
    }

    function test_refusesEachFromTheEntryPointWhileFrozen() public {
        freeze();
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool success, bytes memory result) = callAccount(ENTRY_POINT, calls[i]);
            assertFalse(success, vm.toString(calls[i]));
            assertEq(result, abi.encodeWithSelector(AgentAccount.AccountFrozen.selector));
        }
    }

    /// @dev As bundlers estimate gas: the EntryPoint calls the account in a transaction that validates nothing.
    /// forge-config: default.isolate = true
    function test_acceptsEachOfALaterEpochWithoutValidation() public {
        freeze();
        unfreeze();
        grantSession(address(token), 10e6);
        encodeCalls();
        test_acceptsEachFromTheEntryPoint();
        uint80 epochId = account.epochId();
        vm.prank(ENTRY_POINT);
        account.changeSigner(epochId, newSigner);
        grantSession(address(token), 10e6);
        encodeCalls();
        test_acceptsEachFromTheEntryPoint();
    }

    function test_refusesEachOfAnEarlierEpoch() public {
        freeze();
        unfreeze();
        // The transaction has validated an operation of the epoch that these calls do not name.
        validate(signedOperation(""));
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool success, bytes memory result) = callAccount(ENTRY_POINT, calls[i]);
            assertFalse(success, vm.toString(calls[i]));
            assertEq(result, abi.encodeWithSelector(AgentAccount.StaleEpoch.selector, 0, account.epochId()));
        }
    }

    function test_refusesEachOfAnEpochWithTheSameNumberAndAnotherSalt() public {
        freeze();
        unfreeze();
        encodeCalls();
        uint80 actual = account.epochId();
        bytes32 slot = vm.load(address(account), AccountStorage.SLOT);
        vm.store(address(account), AccountStorage.SLOT, slot ^ bytes32(uint256(1) << 176));
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool success, bytes memory result) = callAccount(ENTRY_POINT, calls[i]);
            assertFalse(success, vm.toString(calls[i]));
            assertEq(result, abi.encodeWithSelector(AgentAccount.StaleEpoch.selector, actual, actual ^ 1));
        }
    }

    function test_refusesEachFromAnyoneElseWhileFrozen() public {
        freeze();
        assertRefused(signer);
        assertRefused(address(guardian));
    }

    function assertRefused(address caller) private {
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool success, bytes memory result) = callAccount(caller, calls[i]);
            assertFalse(success, vm.toString(calls[i]));
            assertEq(result, abi.encodeWithSelector(Account.AccountUnauthorized.selector, caller));
        }
    }
}
