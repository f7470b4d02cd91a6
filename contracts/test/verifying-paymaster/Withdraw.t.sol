// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {PaymasterFixture} from "./PaymasterFixture.sol";

/// @notice `VerifyingPaymaster.withdraw`
contract VerifyingPaymasterWithdrawTest is PaymasterFixture {
    function test_onlyTheOwnerWithdraws() public {
        assertOnlyOwner(abi.encodeCall(paymaster.withdraw, (payable(stranger), 1 ether)));
        assertEq(depositInfo().deposit, 10 ether);
    }

    function test_ownerWithdrawsToAnyone() public {
        vm.prank(admin);
        paymaster.withdraw(payable(recipient), 4 ether);
        assertEq(recipient.balance, 4 ether);
        assertEq(depositInfo().deposit, 6 ether);
    }

    function test_ownerWithdrawsEverythingButNoMore() public {
        vm.startPrank(admin);
        vm.expectRevert();
        paymaster.withdraw(payable(recipient), 10 ether + 1);
        paymaster.withdraw(payable(recipient), 10 ether);
        assertEq(recipient.balance, 10 ether);
        assertEq(depositInfo().deposit, 0);
    }
}
