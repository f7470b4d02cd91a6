// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {SpendingPolicy} from "../../src/SpendingPolicy.sol";
import {AccountFixture} from "../support/AccountFixture.sol";

/// @notice How transfers of tokens and of the native coin count in the limit of the day.
contract DailyLimitTest is AccountFixture {
    uint48 private constant MIDNIGHT = START + 12 hours;

    function test_acceptsExactlyTheRemainingAmount() public {
        transfer(1);
        transfer(DEFAULT_LIMIT - 1);
        assertEq(token.balanceOf(recipient), DEFAULT_LIMIT);
    }

    function test_refusesOneMoreThanTheLimit() public {
        expectLimitExceeded(uint256(DEFAULT_LIMIT) + 1, DEFAULT_LIMIT);
        transfer(uint256(DEFAULT_LIMIT) + 1);
    }

    function test_refusesOneMoreThanTheRemainingAmount() public {
        transfer(DEFAULT_LIMIT - 1);
        expectLimitExceeded(2, 1);
        transfer(2);
        transfer(1);
        expectLimitExceeded(1, 0);
        transfer(1);
    }

    function test_acceptsZeroWhenNothingRemains() public {
        transfer(DEFAULT_LIMIT);
        transfer(0);
        assertEq(token.balanceOf(recipient), DEFAULT_LIMIT);
    }

    function test_refusesAnAmountThatWraps() public {
        transfer(1);
        expectLimitExceeded(type(uint256).max, DEFAULT_LIMIT - 1);
        transfer(type(uint256).max);
        expectLimitExceeded(1 << 96, DEFAULT_LIMIT - 1);
        transfer(1 << 96);
    }

    function test_acceptsTheGreatestLimit() public {
        setLimit(address(token), type(uint96).max);
        token.mint(address(account), type(uint96).max);
        transfer(type(uint96).max);
        assertEq(token.balanceOf(recipient), type(uint96).max);
        expectLimitExceeded(1, 0);
        transfer(1);
    }

    function test_startsAgainInTheFirstSecondOfTheNextDay() public {
        vm.warp(MIDNIGHT - 1);
        transfer(DEFAULT_LIMIT);
        expectLimitExceeded(1, 0);
        transfer(1);
        vm.warp(MIDNIGHT);
        transfer(DEFAULT_LIMIT);
        expectLimitExceeded(1, 0);
        transfer(1);
        vm.warp(MIDNIGHT + 1 days - 1);
        expectLimitExceeded(1, 0);
        transfer(1);
        assertEq(token.balanceOf(recipient), 2 * uint256(DEFAULT_LIMIT));
    }

    function test_refusesATokenWithoutALimitAlsoForAnAmountOfZero() public {
        vm.prank(policyManager);
        guardian.setDefaultLimit(address(token), 0);
        expectLimitExceeded(1, 0);
        transfer(1);
        expectLimitExceeded(0, 0);
        transfer(0);
    }

    function test_refusesTheNativeCoinWithoutALimitAlsoForAnAmountOfZero() public {
        expectCoinLimitExceeded(1, 0);
        send(1);
        expectCoinLimitExceeded(0, 0);
        send(0);
    }

    function test_countsTheNativeCoin() public {
        setLimit(address(0), 1 ether);
        send(1 ether - 1);
        expectCoinLimitExceeded(2, 1);
        send(2);
        send(1);
        assertEq(recipient.balance, 1 ether);
        vm.warp(MIDNIGHT);
        send(1 ether);
        assertEq(recipient.balance, 2 ether);
    }

    function test_countsEachTokenByItself() public {
        setLimit(address(0), 1 ether);
        transfer(DEFAULT_LIMIT);
        send(1 ether);
        assertEq(token.balanceOf(recipient), DEFAULT_LIMIT);
        assertEq(recipient.balance, 1 ether);
    }

    function test_countsNothingThatFails() public {
        setLimit(address(0), 100 ether);
        (bool success,) = callAccount(ENTRY_POINT, abi.encodeCall(account.execute, (0, recipient, 11 ether, "")));
        assertFalse(success);
        (, uint256 spent) = account.limitOf(address(0));
        assertEq(spent, 0);
    }

    function test_followsTheDefaultOfTheGuardian() public {
        transfer(DEFAULT_LIMIT);
        vm.prank(policyManager);
        guardian.setDefaultLimit(address(token), DEFAULT_LIMIT - 1);
        expectLimitExceeded(1, 0);
        transfer(1);
        vm.prank(policyManager);
        guardian.setDefaultLimit(address(token), DEFAULT_LIMIT + 1);
        transfer(1);
        assertEq(token.balanceOf(recipient), DEFAULT_LIMIT + 1);
    }

    function testFuzz_neverSpendsMoreThanTheLimitInADay(
        uint96 limit,
        uint256[12] calldata amounts,
        uint256[12] calldata pausesSeconds
    ) public {
        limit = uint96(bound(limit, 1, 1_000e6));
        setLimit(address(token), limit);
        uint256 day = block.timestamp / 1 days;
        uint256 spentToday;
        for (uint256 i = 0; i < amounts.length; ++i) {
            skipTime(bound(pausesSeconds[i], 0, 10 hours));
            if (vm.getBlockTimestamp() / 1 days != day) {
                day = vm.getBlockTimestamp() / 1 days;
                spentToday = 0;
            }
            uint256 amount = bound(amounts[i], 0, limit);
            (bool success,) = callAccount(ENTRY_POINT, transferCall(recipient, amount));
            assertEq(success, spentToday + amount <= limit);
            if (success) spentToday += amount;
            (, uint256 spent) = account.limitOf(address(token));
            assertEq(spent, spentToday);
        }
    }

    function testFuzz_refusesAnyAmountOverTheLimit(uint96 limit, uint256 amount) public {
        amount = bound(amount, uint256(limit) + 1, type(uint256).max);
        setLimit(address(token), limit);
        expectLimitExceeded(amount, limit);
        transfer(amount);
    }

    function transfer(uint256 amount) private {
        vm.prank(ENTRY_POINT);
        account.execute(0, address(token), 0, abi.encodeCall(token.transfer, (recipient, amount)));
    }

    function send(uint256 amount) private {
        vm.prank(ENTRY_POINT);
        account.execute(0, recipient, amount, "");
    }

    function expectLimitExceeded(uint256 amount, uint256 remaining) private {
        vm.expectRevert(abi.encodeWithSelector(SpendingPolicy.LimitExceeded.selector, token, amount, remaining));
    }

    function expectCoinLimitExceeded(uint256 amount, uint256 remaining) private {
        vm.expectRevert(abi.encodeWithSelector(SpendingPolicy.LimitExceeded.selector, address(0), amount, remaining));
    }
}
