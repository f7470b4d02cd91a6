// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {PaymasterFixture} from "./PaymasterFixture.sol";

/// @notice `VerifyingPaymaster.transferOwnership` and `acceptOwnership`
contract VerifyingPaymasterTransferOwnershipTest is PaymasterFixture {
    function test_onlyTheOwnerTransfersOwnership() public {
        assertOnlyOwner(abi.encodeCall(paymaster.transferOwnership, (stranger)));
        assertEq(paymaster.pendingOwner(), address(0));
    }

    function test_newOwnerMustAccept() public {
        vm.expectEmit(address(paymaster));
        emit Ownable2Step.OwnershipTransferStarted(admin, recipient);
        vm.prank(admin);
        paymaster.transferOwnership(recipient);
        assertEq(paymaster.owner(), admin);
        assertEq(paymaster.pendingOwner(), recipient);

        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, stranger));
        vm.prank(stranger);
        paymaster.acceptOwnership();
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, recipient));
        vm.prank(recipient);
        paymaster.withdraw(payable(recipient), 1);

        vm.prank(recipient);
        paymaster.acceptOwnership();
        assertEq(paymaster.owner(), recipient);
        vm.prank(recipient);
        paymaster.withdraw(payable(recipient), 1 ether);
        assertEq(recipient.balance, 1 ether);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, admin));
        vm.prank(admin);
        paymaster.withdraw(payable(admin), 1);
    }
}
