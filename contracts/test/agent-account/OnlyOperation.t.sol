// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Account} from "@openzeppelin/contracts/account/Account.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {NextAccount} from "../support/Implementations.sol";
import {RecoveryFixture} from "../support/RecoveryFixture.sol";

/// @notice Every function of the signer, called in a way in which an operation succeeds.
contract OnlyOperationTest is RecoveryFixture {
    bytes[] private calls;

    function setUp() public override {
        super.setUp();
        address next = address(new NextAccount(guardian));
        vm.prank(upgrader);
        guardian.approveImplementation(next, true);
        grantSession(address(token), 10e6);
        AgentAccount.Call[] memory batch = new AgentAccount.Call[](1);
        batch[0] = AgentAccount.Call(address(token), 0, abi.encodeCall(token.transfer, (recipient, 1)));
        calls.push(transferCall(recipient, 1));
        calls.push(abi.encodeCall(account.executeBatch, (batch)));
        calls.push(abi.encodeCall(account.executeBatch, (new AgentAccount.Call[](0))));
        calls.push(sessionCall(address(token), recipient, 1));
        calls.push(abi.encodeCall(account.grantSession, (stranger, address(token), 1, START, START + 1)));
        calls.push(abi.encodeCall(account.revokeSession, (sessionSigner)));
        calls.push(abi.encodeCall(account.upgradeToAndCall, (next, "")));
        // The last, because it ends the session.
        calls.push(abi.encodeCall(account.changeSigner, (newSigner)));
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

    function test_acceptsEachOfALaterEpochAfterItsValidation() public {
        freeze();
        unfreeze();
        grantSession(address(token), 10e6);
        test_acceptsEachFromTheEntryPoint();
    }

    function test_refusesEachThatWasValidatedInAnEarlierEpoch() public {
        freeze();
        unfreeze();
        validate(signedOperation(""));
        freeze();
        unfreeze();
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool success, bytes memory result) = callAccount(ENTRY_POINT, calls[i]);
            assertFalse(success, vm.toString(calls[i]));
            assertEq(result, abi.encodeWithSelector(AgentAccount.StaleEpoch.selector, 2, 4));
        }
    }

    /// @dev Here each call is a transaction.
    /// forge-config: default.isolate = true
    function test_refusesEachThatWasValidatedInAnEarlierTransaction() public {
        freeze();
        unfreeze();
        assertEq(validate(signedOperation("")), uint256(START + 1 days) << 160);
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool success, bytes memory result) = callAccount(ENTRY_POINT, calls[i]);
            assertFalse(success, vm.toString(calls[i]));
            assertEq(result, abi.encodeWithSelector(AgentAccount.StaleEpoch.selector, 0, 2));
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
