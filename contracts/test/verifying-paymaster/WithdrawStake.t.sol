// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {PaymasterFixture} from "./PaymasterFixture.sol";

/// @notice `VerifyingPaymaster.withdrawStake`
contract VerifyingPaymasterWithdrawStakeTest is PaymasterFixture {
    function setUp() public override {
        super.setUp();
        hoax(admin, 1 ether);
        paymaster.addStake{value: 1 ether}(1 days);
    }

    function test_onlyTheOwnerWithdrawsTheStake() public {
        unlock();
        skipTime(1 days);
        assertOnlyOwner(abi.encodeCall(paymaster.withdrawStake, (payable(stranger))));
        assertEq(depositInfo().stake, 1 ether);
    }

    function test_refusesALockedStake() public {
        vm.expectRevert();
        withdrawStake();
    }

    function test_ownerWithdrawsAfterTheDelay() public {
        unlock();
        skipTime(1 days - 1);
        vm.expectRevert();
        withdrawStake();
        skipTime(1);
        withdrawStake();
        assertEq(recipient.balance, 1 ether);
        assertEq(depositInfo().stake, 0);
        assertEq(depositInfo().deposit, 10 ether);
    }

    function unlock() private {
        vm.prank(admin);
        paymaster.unlockStake();
    }

    function withdrawStake() private {
        vm.prank(admin);
        paymaster.withdrawStake(payable(recipient));
    }
}
