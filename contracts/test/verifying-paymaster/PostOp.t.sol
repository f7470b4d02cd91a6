// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Paymaster} from "@openzeppelin/contracts/account/paymaster/Paymaster.sol";
import {IPaymaster} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {PaymasterFixture} from "./PaymasterFixture.sol";

/// @notice `VerifyingPaymaster.postOp`
contract VerifyingPaymasterPostOpTest is PaymasterFixture {
    function test_onlyTheEntryPointMayCall() public {
        address[4] memory callers = [admin, sponsor, bundler, stranger];
        for (uint256 i = 0; i < callers.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(Paymaster.PaymasterUnauthorized.selector, callers[i]));
            vm.prank(callers[i]);
            paymaster.postOp(IPaymaster.PostOpMode.opSucceeded, "", 0, 0);
        }
        vm.prank(ENTRY_POINT);
        paymaster.postOp(IPaymaster.PostOpMode.opSucceeded, "", 0, 0);
    }
}
