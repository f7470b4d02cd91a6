// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {SpendingPolicy} from "../../src/SpendingPolicy.sol";
import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";
import {AccountFixture} from "../support/AccountFixture.sol";

contract SetCallTest is AccountFixture {
    /// @dev `transfer`, `transferFrom`, `approve`, `increaseAllowance`, `permit` and `setApprovalForAll`.
    bytes4[6] private tokenFunctions = [bytes4(0xa9059cbb), 0x23b872dd, 0x095ea7b3, 0x39509351, 0xd505accf, 0xa22cb465];

    function testFuzz_allowsACallAndEmitsIt(address target, bytes4 selector) public {
        vm.assume(!movesTokens(selector));
        assertFalse(account.isAllowedCall(target, selector));
        vm.expectEmit(address(account));
        emit IGuardedAccount.CallSet(target, selector, true);
        setCall(target, selector, true);
        assertTrue(account.isAllowedCall(target, selector));
        assertFalse(account.isAllowedCall(target, ~selector));
        assertFalse(account.isAllowedCall(address(~uint160(target)), selector));
    }

    function test_refusesFunctionsThatMoveTokens() public {
        for (uint256 i = 0; i < tokenFunctions.length; ++i) {
            for (uint256 j = 0; j < 2; ++j) {
                vm.prank(policyManager);
                vm.expectRevert(abi.encodeWithSelector(SpendingPolicy.CallDenied.selector, stranger, tokenFunctions[i]));
                guardian.setCall(account, stranger, tokenFunctions[i], j == 0);
            }
            assertFalse(account.isAllowedCall(stranger, tokenFunctions[i]));
        }
    }

    function test_removesACall() public {
        setCall(stranger, 0x01020304, true);
        vm.expectEmit(address(account));
        emit IGuardedAccount.CallSet(stranger, 0x01020304, false);
        setCall(stranger, 0x01020304, false);
        assertFalse(account.isAllowedCall(stranger, 0x01020304));
    }

    function movesTokens(bytes4 selector) private view returns (bool) {
        for (uint256 i = 0; i < tokenFunctions.length; ++i) {
            if (selector == tokenFunctions[i]) return true;
        }
        return false;
    }
}
