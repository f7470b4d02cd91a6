// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {PaymasterFixture} from "./PaymasterFixture.sol";

/// @notice `VerifyingPaymaster.deposit`
contract VerifyingPaymasterDepositTest is PaymasterFixture {
    function test_anyoneAddsToTheDeposit() public {
        uint256 deposited = depositInfo().deposit;
        hoax(stranger, 3 ether);
        paymaster.deposit{value: 2 ether}();
        assertEq(depositInfo().deposit, deposited + 2 ether);
        assertEq(address(paymaster).balance, 0);
        assertEq(stranger.balance, 1 ether);
    }

    function test_depositOfNothingChangesNothing() public {
        uint256 deposited = depositInfo().deposit;
        paymaster.deposit();
        assertEq(depositInfo().deposit, deposited);
    }

    function test_refusesThePlainTransferOfTheNativeCoin() public {
        hoax(stranger, 1 ether);
        (bool success,) = address(paymaster).call{value: 1 ether}("");
        assertFalse(success, "the coin would be lost, because no function withdraws it");
    }
}
