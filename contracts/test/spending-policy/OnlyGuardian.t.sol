// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";
import {RecoveryFixture} from "../support/RecoveryFixture.sol";

/// @notice Every function of the guardian. `freeze` and the like are in `AgentAccount`, the rules in `SpendingPolicy`.
contract OnlyGuardianTest is RecoveryFixture {
    bytes[] private calls;

    function setUp() public override {
        super.setUp();
        calls.push(abi.encodeCall(account.freeze, (FREEZE_SALT)));
        calls.push(abi.encodeCall(account.unfreeze, (nextEpochId(account), FREEZE_SALT)));
        calls.push(abi.encodeCall(account.setLimit, (address(token), 1)));
        calls.push(abi.encodeCall(account.removeLimit, (address(token))));
        calls.push(abi.encodeCall(account.setRecipientsRestricted, (true)));
        calls.push(abi.encodeCall(account.setRecipient, (recipient, true)));
        calls.push(abi.encodeCall(account.setCall, (stranger, 0x01020304, true)));
        calls.push(abi.encodeCall(account.setCosigner, (cosigner)));
        calls.push(abi.encodeCall(account.cancelRecovery, ()));
        calls.push(abi.encodeCall(account.removeRecovery, ()));
    }

    function test_acceptsEachFromTheGuardian() public {
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool success,) = callAccount(address(guardian), calls[i]);
            assertTrue(success, vm.toString(calls[i]));
        }
    }

    function test_acceptsEachWhileFrozen() public {
        freeze();
        // The first call is another freeze.
        calls[1] = abi.encodeCall(account.unfreeze, (nextEpochId(account), FREEZE_SALT));
        test_acceptsEachFromTheGuardian();
    }

    function test_refusesEveryoneElseWithAPowerOverTheAccount() public {
        address[11] memory callers = [
            signer,
            sessionSigner,
            recoverer,
            ENTRY_POINT,
            admin,
            freezer,
            unfreezer,
            policyManager,
            upgrader,
            address(factory),
            address(account)
        ];
        for (uint256 i = 0; i < callers.length; ++i) {
            assertRefused(callers[i]);
        }
    }

    function testFuzz_refusesAnyOtherCaller(address caller) public {
        vm.assume(caller != address(guardian));
        assertRefused(caller);
    }

    function assertRefused(address caller) private {
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool success, bytes memory result) = callAccount(caller, calls[i]);
            assertFalse(success, vm.toString(calls[i]));
            assertEq(result, abi.encodeWithSelector(IGuardedAccount.OnlyGuardian.selector));
        }
    }
}
