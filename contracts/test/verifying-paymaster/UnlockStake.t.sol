// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {DepositInfo, PaymasterFixture} from "./PaymasterFixture.sol";

/// @notice `VerifyingPaymaster.unlockStake`
contract VerifyingPaymasterUnlockStakeTest is PaymasterFixture {
    function setUp() public override {
        super.setUp();
        hoax(admin, 1 ether);
        paymaster.addStake{value: 1 ether}(1 days);
    }

    function test_onlyTheOwnerUnlocksTheStake() public {
        assertOnlyOwner(abi.encodeCall(paymaster.unlockStake, ()));
        assertTrue(depositInfo().staked);
    }

    function test_ownerStartsTheDelay() public {
        vm.prank(admin);
        paymaster.unlockStake();
        DepositInfo memory info = depositInfo();
        assertFalse(info.staked);
        assertEq(info.withdrawTime, START + 1 days);
    }

    function test_operationsArePaidWithoutAStake() public {
        vm.prank(admin);
        paymaster.unlockStake();
        handle(sponsoredTransfer());
        assertEq(token.balanceOf(recipient), 1e6);
    }
}
