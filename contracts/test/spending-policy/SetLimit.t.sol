// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {SpendingPolicy} from "../../src/SpendingPolicy.sol";
import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";
import {AccountFixture} from "../support/AccountFixture.sol";

contract SetLimitTest is AccountFixture {
    function testFuzz_setsTheLimitAndEmitsIt(address limited, uint96 limit) public {
        addToken(limited);
        vm.expectEmit(address(account));
        emit IGuardedAccount.LimitSet(limited, limit);
        setLimit(limited, limit);
        (uint256 actual, uint256 spent) = account.limitOf(limited);
        assertEq(actual, limit);
        assertEq(spent, 0);
    }

    function test_replacesTheDefault() public {
        setLimit(address(token), 5e6);
        handle(signedOperation(transferCall(recipient, 5e6)));
        assertRefused(1, 0);
    }

    function test_raisesTheLimitOverTheDefault() public {
        setLimit(address(token), DEFAULT_LIMIT + 1);
        handle(signedOperation(transferCall(recipient, DEFAULT_LIMIT + 1)));
        assertEq(token.balanceOf(recipient), DEFAULT_LIMIT + 1);
    }

    function test_refusesAnyAmountOverAnOwnLimitOfZeroDespiteTheDefault() public {
        setLimit(address(token), 0);
        assertRefused(1, 0);
        assertRefused(0, 0);
    }

    function test_leavesNothingWhenSetBelowWhatIsSpent() public {
        handle(signedOperation(transferCall(recipient, 10e6)));
        setLimit(address(token), 9e6);
        (uint256 limit, uint256 spent) = account.limitOf(address(token));
        assertEq(limit, 9e6);
        assertEq(spent, 10e6);
        assertRefused(1, 0);
        skipTime(1 days);
        assertRefused(9e6 + 1, 9e6);
    }

    function test_leavesTheDifferenceWhenRaised() public {
        handle(signedOperation(transferCall(recipient, DEFAULT_LIMIT)));
        setLimit(address(token), DEFAULT_LIMIT + 3);
        assertRefused(4, 3);
    }

    function test_keepsTheLimitsOfOtherTokensAndAccounts() public {
        setLimit(address(0), 1 ether);
        (uint256 limit,) = account.limitOf(address(token));
        assertEq(limit, DEFAULT_LIMIT);
        (limit,) = createAccount(stranger, address(0)).limitOf(address(0));
        assertEq(limit, 0);
    }

    function assertRefused(uint256 amount, uint256 remaining) private {
        vm.prank(ENTRY_POINT);
        vm.expectRevert(abi.encodeWithSelector(SpendingPolicy.LimitExceeded.selector, token, amount, remaining));
        account.execute(0, address(token), 0, abi.encodeCall(token.transfer, (recipient, amount)));
    }
}
