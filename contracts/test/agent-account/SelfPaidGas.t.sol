// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IEntryPointExtra} from "@openzeppelin/contracts/account/utils/ERC4337Utils.sol";
import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {AccountFixture} from "../support/AccountFixture.sol";

/// @notice The account pays for no operation, neither from its native coin nor from a deposit.
contract SelfPaidGasTest is AccountFixture {
    function test_refusesAnOperationWithoutAPaymaster() public {
        PackedUserOperation memory op = unsponsored(1 gwei);
        expectSelfPaidGas();
        handle(op);
        assertEq(address(account).balance, 10 ether);
    }

    function test_refusesItAlsoWhenTheAccountHasADeposit() public {
        entryPoint.depositTo{value: 5 ether}(address(account));
        PackedUserOperation memory op = unsponsored(1 gwei);
        expectSelfPaidGas();
        handle(op);
        assertEq(entryPoint.balanceOf(address(account)), 5 ether);
        assertEq(address(account).balance, 10 ether);
    }

    function test_refusesItAlsoWithoutAGasPrice() public {
        PackedUserOperation memory op = unsponsored(0);
        expectSelfPaidGas();
        handle(op);
    }

    function test_refusesASessionKeyWithoutAPaymaster() public {
        grantSession(address(token), 10e6);
        PackedUserOperation memory op =
            signOperation(operation(sessionCall(address(token), recipient, 1)), sessionKey, START + 1 days);
        expectSelfPaidGas();
        handle(op);
    }

    function test_refusesThePaymasterZero() public {
        entryPoint.depositTo{value: 5 ether}(address(account));
        PackedUserOperation memory op = operation(transferCall(recipient, 1));
        op.paymasterAndData = new bytes(52);
        op = signOperation(op, signerKey, START + 1 days);
        vm.expectRevert(bytes("AA98 invalid paymaster"));
        handle(op);
        op.paymasterAndData = new bytes(20);
        op = signOperation(op, signerKey, START + 1 days);
        vm.expectRevert(bytes("AA93 invalid paymasterAndData"));
        handle(op);
        assertEq(entryPoint.balanceOf(address(account)), 5 ether);
    }

    function test_refusesTheAccountAsItsOwnPaymaster() public {
        entryPoint.depositTo{value: 5 ether}(address(account));
        PackedUserOperation memory op = operation(transferCall(recipient, 1));
        op.paymasterAndData = abi.encodePacked(address(account), uint128(100_000), uint128(0));
        op = signOperation(op, signerKey, START + 1 days);
        vm.expectRevert(abi.encodeWithSelector(FailedOpWithRevert.selector, 0, "AA33 reverted", ""));
        handle(op);
        assertEq(entryPoint.balanceOf(address(account)), 5 ether);
    }

    function testFuzz_paysNothingThatIsMissing(uint256 missing) public {
        PackedUserOperation memory op = signedOperation(transferCall(recipient, 1));
        bytes32 userOpHash = IEntryPointExtra(ENTRY_POINT).getUserOpHash(op);
        vm.prank(ENTRY_POINT);
        uint256 validationData = account.validateUserOp(op, userOpHash, missing);
        assertEq(validationData, uint256(START + 1 days) << 160);
        assertEq(address(account).balance, 10 ether);
    }

    function test_keepsItsNativeCoinHoweverHighTheGasPriceOfASponsoredOperation() public {
        entryPoint.depositTo{value: 5 ether}(address(account));
        PackedUserOperation memory op = operation(transferCall(recipient, 1));
        op.gasFees = bytes32((uint256(2_000 gwei) << 128) | 2_000 gwei);
        uint256 sponsored = entryPoint.balanceOf(address(paymaster));
        handle(signOperation(withSponsor(op), signerKey, START + 1 days));
        assertLt(entryPoint.balanceOf(address(paymaster)), sponsored);
        assertEq(entryPoint.balanceOf(address(account)), 5 ether);
        assertEq(address(account).balance, 10 ether);
    }

    function unsponsored(uint256 gasPrice) private view returns (PackedUserOperation memory) {
        PackedUserOperation memory op = operation(transferCall(recipient, 1));
        op.gasFees = bytes32((gasPrice << 128) | gasPrice);
        return signOperation(op, signerKey, START + 1 days);
    }

    function expectSelfPaidGas() private {
        expectValidationRevert(abi.encodeWithSelector(AgentAccount.SelfPaidGas.selector));
    }
}
