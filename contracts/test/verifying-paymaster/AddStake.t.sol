// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {DepositInfo, PaymasterFixture} from "./PaymasterFixture.sol";

/// @notice `VerifyingPaymaster.addStake`
contract VerifyingPaymasterAddStakeTest is PaymasterFixture {
    function test_onlyTheOwnerAddsStake() public {
        assertOnlyOwner(abi.encodeCall(paymaster.addStake, (1 days)));
    }

    function test_ownerAddsStakeInSteps() public {
        vm.deal(admin, 3 ether);
        vm.startPrank(admin);
        paymaster.addStake{value: 1 ether}(1 days);
        paymaster.addStake{value: 2 ether}(2 days);
        DepositInfo memory info = depositInfo();
        assertTrue(info.staked);
        assertEq(info.stake, 3 ether);
        assertEq(info.unstakeDelaySec, 2 days);
        assertEq(info.deposit, 10 ether);
    }

    function test_delayIsNeverShortened() public {
        vm.deal(admin, 2 ether);
        vm.startPrank(admin);
        paymaster.addStake{value: 1 ether}(2 days);
        vm.expectRevert();
        paymaster.addStake{value: 1 ether}(1 days);
    }
}
