// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {TokenFunctions} from "../../src/TokenFunctions.sol";
import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";
import {AccountFixture} from "../support/AccountFixture.sol";

contract SetCallTest is AccountFixture {
    function testFuzz_allowsACallAndEmitsIt(address target, bytes4 selector) public {
        vm.assume(!TokenFunctions.contains(selector) && !guardian.isToken(target));
        assertFalse(account.isAllowedCall(target, selector));
        vm.expectEmit(address(account));
        emit IGuardedAccount.CallSet(target, selector, true);
        setCall(target, selector, true);
        assertTrue(account.isAllowedCall(target, selector));
        assertFalse(account.isAllowedCall(target, ~selector));
        assertFalse(account.isAllowedCall(address(~uint160(target)), selector));
    }

    function test_removesACall() public {
        setCall(stranger, 0x01020304, true);
        vm.expectEmit(address(account));
        emit IGuardedAccount.CallSet(stranger, 0x01020304, false);
        setCall(stranger, 0x01020304, false);
        assertFalse(account.isAllowedCall(stranger, 0x01020304));
    }
}
