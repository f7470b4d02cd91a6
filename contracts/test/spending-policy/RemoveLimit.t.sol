// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {SpendingPolicy} from "../../src/SpendingPolicy.sol";
import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";
import {AccountFixture} from "../support/AccountFixture.sol";

contract RemoveLimitTest is AccountFixture {
    function test_restoresTheDefaultAndEmitsTheToken() public {
        setLimit(address(token), 5e6);
        vm.expectEmit(address(account));
        emit IGuardedAccount.LimitRemoved(address(token));
        removeLimit(address(token));
        (uint256 limit,) = account.limitOf(address(token));
        assertEq(limit, DEFAULT_LIMIT);
        handle(signedOperation(transferCall(recipient, 6e6)));
        assertEq(token.balanceOf(recipient), 6e6);
    }

    function test_restoresTheDefaultOfZero() public {
        setLimit(address(0), 1 ether);
        removeLimit(address(0));
        vm.prank(ENTRY_POINT);
        vm.expectRevert(abi.encodeWithSelector(SpendingPolicy.LimitExceeded.selector, address(0), 1, 0));
        account.execute(0, recipient, 1, "");
    }

    function test_keepsWhatWasSpentToday() public {
        setLimit(address(token), 5_000e6);
        handle(signedOperation(transferCall(recipient, DEFAULT_LIMIT - 1)));
        removeLimit(address(token));
        vm.prank(ENTRY_POINT);
        vm.expectRevert(abi.encodeWithSelector(SpendingPolicy.LimitExceeded.selector, token, 2, 1));
        account.execute(0, address(token), 0, abi.encodeCall(token.transfer, (recipient, 2)));
    }

    function test_acceptsATokenWithoutAnOwnLimit() public {
        vm.expectEmit(address(account));
        emit IGuardedAccount.LimitRemoved(address(token));
        removeLimit(address(token));
        (uint256 limit,) = account.limitOf(address(token));
        assertEq(limit, DEFAULT_LIMIT);
    }

    function removeLimit(address limited) private {
        vm.prank(policyManager);
        guardian.removeLimit(account, limited);
    }
}
