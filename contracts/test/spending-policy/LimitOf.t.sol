// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccountFixture} from "../support/AccountFixture.sol";

contract LimitOfTest is AccountFixture {
    function test_returnsTheDefaultAndItsChange() public {
        assertLimit(address(token), DEFAULT_LIMIT, 0);
        assertLimit(address(0), 0, 0);
        vm.prank(policyManager);
        guardian.setDefaultLimit(address(token), 3);
        assertLimit(address(token), 3, 0);
    }

    function test_returnsTheOwnLimitWhateverTheDefault() public {
        setLimit(address(token), 0);
        assertLimit(address(token), 0, 0);
        setLimit(address(token), type(uint96).max);
        assertLimit(address(token), type(uint96).max, 0);
    }

    function test_returnsWhatWasSpentUntilTheEndOfTheDayInUTC() public {
        handle(signedOperation(transferCall(recipient, 5)));
        handle(signedOperation(transferCall(recipient, 6)));
        assertLimit(address(token), DEFAULT_LIMIT, 11);
        uint256 midnight = START + 12 hours;
        assertEq(midnight % 1 days, 0);
        vm.warp(midnight - 1);
        assertLimit(address(token), DEFAULT_LIMIT, 11);
        vm.warp(midnight);
        assertLimit(address(token), DEFAULT_LIMIT, 0);
    }

    function assertLimit(address of_, uint256 expectedLimit, uint256 expectedSpent) private view {
        (uint256 limit, uint256 spent) = account.limitOf(of_);
        assertEq(limit, expectedLimit);
        assertEq(spent, expectedSpent);
    }
}
