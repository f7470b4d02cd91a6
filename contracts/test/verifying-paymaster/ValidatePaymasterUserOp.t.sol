// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Paymaster} from "@openzeppelin/contracts/account/paymaster/Paymaster.sol";
import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {AgentAccountFactory} from "../../src/AgentAccountFactory.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {VerifyingPaymaster} from "../../src/VerifyingPaymaster.sol";
import {PaymasterFixture} from "./PaymasterFixture.sol";

/// @notice `VerifyingPaymaster.validatePaymasterUserOp`
contract VerifyingPaymasterValidatePaymasterUserOpTest is PaymasterFixture {
    /// @dev The first bytes of the paymaster's own data, after its address and its two gas limits.
    uint256 private constant VALID_AFTER = 52;
    uint256 private constant VALID_UNTIL = 58;
    uint256 private constant SIGNATURE = 64;

    function test_paysForAnOperationThatItsSignerSigned() public {
        uint256 before = depositInfo().deposit;
        handle(sponsoredTransfer());
        assertEq(token.balanceOf(recipient), 1e6);
        assertLt(depositInfo().deposit, before);
        assertEq(address(account).balance, 10 ether);
    }

    function test_onlyTheEntryPointMayAsk() public {
        PackedUserOperation memory op = sponsoredTransfer();
        address[4] memory callers = [admin, sponsor, bundler, stranger];
        for (uint256 i = 0; i < callers.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(Paymaster.PaymasterUnauthorized.selector, callers[i]));
            vm.prank(callers[i]);
            paymaster.validatePaymasterUserOp(op, bytes32(0), 0);
        }
    }

    function test_returnsNoContextAndTheTimeRange() public {
        PackedUserOperation memory op = sponsorFor(sponsoredTransfer(), START - 5, START + 7);
        (bytes memory context, uint256 validationData) = ask(op);
        assertEq(context, "");
        assertEq(validationData, (uint256(START - 5) << 208) | (uint256(START + 7) << 160));
    }

    function test_signatureCoversEachFieldOfTheOperation() public {
        PackedUserOperation memory op = sponsoredTransfer();
        assertAccepted(op);
        op.sender = recipient;
        assertRefused(op);
        op = sponsoredTransfer();
        op.nonce = 1;
        assertRefused(op);
        op = sponsoredTransfer();
        op.initCode = hex"00";
        assertRefused(op);
        op = sponsoredTransfer();
        op.callData = transferCall(stranger, 1e6);
        assertRefused(op);
        op = sponsoredTransfer();
        op.accountGasLimits = bytes32(uint256(op.accountGasLimits) ^ 1);
        assertRefused(op);
        op.accountGasLimits = bytes32(uint256(op.accountGasLimits) ^ (1 << 128) ^ 1);
        assertRefused(op);
        op = sponsoredTransfer();
        op.preVerificationGas += 1;
        assertRefused(op);
        op = sponsoredTransfer();
        op.gasFees = bytes32(uint256(op.gasFees) ^ 1);
        assertRefused(op);
        op.gasFees = bytes32(uint256(op.gasFees) ^ (1 << 128) ^ 1);
        assertRefused(op);
    }

    function test_accountsSignatureIsNotCovered() public {
        PackedUserOperation memory op = sponsoredTransfer();
        op.signature = hex"1234";
        assertAccepted(op);
    }

    /// @dev Each field is changed by its lowest bit, also the highest byte of the signature's `r`, `s` and `v`.
    function test_signatureCoversEachByteOfThePaymasterData() public {
        PackedUserOperation memory op = sponsoredTransfer();
        // The address of the paymaster comes first: the EntryPoint asks another paymaster then.
        for (uint256 i = 20; i < op.paymasterAndData.length; ++i) {
            bytes1 original = op.paymasterAndData[i];
            op.paymasterAndData[i] = original ^ 0x01;
            assertRefused(op);
            op.paymasterAndData[i] = original;
        }
        assertAccepted(op);
    }

    function test_entryPointRefusesAChangedOperation() public {
        PackedUserOperation memory op = sponsoredTransfer();
        op.callData = transferCall(stranger, 1e6);
        op = resign(op);
        expectFailedOp("AA34 signature error");
        handle(op);

        op = sponsoredTransfer();
        op.gasFees = bytes32((uint256(1 gwei) << 128) | 2 gwei);
        op = resign(op);
        expectFailedOp("AA34 signature error");
        handle(op);

        op = sponsoredTransfer();
        op.accountGasLimits = bytes32(uint256(op.accountGasLimits) + 1);
        op = resign(op);
        expectFailedOp("AA34 signature error");
        handle(op);

        op = sponsoredTransfer();
        op.preVerificationGas += 1;
        op = resign(op);
        expectFailedOp("AA34 signature error");
        handle(op);
        assertEq(token.balanceOf(recipient), 0);
    }

    function test_entryPointRefusesAChangedNonce() public {
        PackedUserOperation memory op = sponsoredTransfer();
        // Another sequence of the same epoch, which the account accepts.
        op.nonce |= uint256(1) << 64;
        op = resign(op);
        expectFailedOp("AA34 signature error");
        handle(op);
    }

    function test_entryPointRefusesAChangedSender() public {
        PackedUserOperation memory op = sponsoredTransfer();
        op.sender = address(createAccount(signer, recoverer));
        op = resign(op);
        expectFailedOp("AA34 signature error");
        handle(op);
    }

    function test_entryPointRefusesAnotherDeployment() public {
        PackedUserOperation memory op = operation(transferCall(recipient, 1e6));
        op.sender = factory.accountOf(stranger, address(0), SALT_ZERO);
        op = withSponsor(op);
        op.initCode = abi.encodePacked(
            address(factory), abi.encodeCall(factory.createAccount, (stranger, address(0), SALT_ZERO))
        );
        (, uint256 strangerKey) = makeAccount("stranger");
        op = signOperation(op, strangerKey, START + 1 days);
        expectFailedOp("AA34 signature error");
        handle(op);
    }

    function test_entryPointRefusesChangedPaymasterGasLimitsAndTimes() public {
        uint256[4] memory lastBytes = [uint256(35), 51, VALID_AFTER + 5, VALID_UNTIL + 5];
        for (uint256 i = 0; i < lastBytes.length; ++i) {
            PackedUserOperation memory op = sponsoredTransfer();
            op.paymasterAndData[lastBytes[i]] ^= 0x01;
            op = resign(op);
            expectFailedOp("AA34 signature error");
            handle(op);
        }
    }

    /// @dev The EntryPoint 0.8 accepts only times after `validAfter`, but `validUntil` itself.
    function test_paysAfterTheBeginningAndUntilTheEnd() public {
        PackedUserOperation memory op = resign(sponsorFor(sponsoredTransfer(), START + 10, START + 20));
        uint256 state = vm.snapshotState();
        vm.warp(START + 10);
        expectFailedOp("AA32 paymaster expired or not due");
        handle(op);
        vm.warp(START + 21);
        expectFailedOp("AA32 paymaster expired or not due");
        handle(op);
        for (uint256 time = START + 11; time <= START + 20; time += 9) {
            vm.warp(time);
            handle(op);
            assertEq(token.balanceOf(recipient), 1e6);
            vm.revertToState(state);
        }
    }

    /// @dev For the EntryPoint, an end of zero means that there is none.
    function test_refusesAnEndOfZero() public {
        assertRefused(sponsorFor(sponsoredTransfer(), 0, 0));
        assertAccepted(sponsorFor(sponsoredTransfer(), 0, 1));
        PackedUserOperation memory op = resign(sponsorFor(sponsoredTransfer(), 0, 0));
        expectFailedOp("AA34 signature error");
        handle(op);
    }

    /// @dev The highest bit of both times asks the EntryPoint 0.9 for a range of blocks. The EntryPoint 0.8 has none.
    function test_highestBitOfTheTimesHasNoMeaning() public {
        uint48 highest = uint48(1) << 47;
        uint256 validationData = validationDataOf(sponsorFor(sponsoredTransfer(), highest, highest | START));
        assertEq(validationData, (uint256(highest) << 208) | (uint256(highest | START) << 160));
        PackedUserOperation memory op = resign(sponsorFor(sponsoredTransfer(), highest, highest | START));
        expectFailedOp("AA32 paymaster expired or not due");
        handle(op);
        handle(resign(sponsorFor(sponsoredTransfer(), 0, type(uint48).max)));
        assertEq(token.balanceOf(recipient), 1e6);
    }

    function test_signatureCoversAPostOperationGasLimitAboveZero() public {
        postOperationGasLimit = 30_000;
        PackedUserOperation memory op = sponsoredTransfer();
        assertAccepted(op);
        for (uint256 i = 36; i < 52; ++i) {
            bytes1 original = op.paymasterAndData[i];
            op.paymasterAndData[i] = original ^ 0x01;
            assertRefused(op);
            op.paymasterAndData[i] = original;
        }
    }

    function test_paysForNoMoreGasThanItsLimits() public {
        PackedUserOperation memory op = operation(transferCall(recipient, 1));
        op.accountGasLimits = bytes32((uint256(400_000) << 128) | paymaster.MAX_CALL_GAS());
        assertAccepted(withSponsor(op));
        op.accountGasLimits = bytes32(uint256(op.accountGasLimits) + 1);
        assertGasLimitTooHigh(withSponsor(op));
        op.accountGasLimits = bytes32((uint256(400_000) << 128) | type(uint128).max);
        assertGasLimitTooHigh(withSponsor(op));
        postOperationGasLimit = paymaster.MAX_POST_OP_GAS();
        assertAccepted(sponsoredTransfer());
        postOperationGasLimit += 1;
        assertGasLimitTooHigh(sponsoredTransfer());
    }

    function test_paysWithAPostOperationGasLimitAboveZero() public {
        postOperationGasLimit = 30_000;
        handle(sponsoredTransfer());
        assertEq(token.balanceOf(recipient), 1e6);
    }

    /// @dev `ecrecover` returns the zero address for a signature that has no key.
    function test_paymasterWithoutASignerPaysForNothing() public {
        paymaster = new VerifyingPaymaster(address(0), admin);
        paymaster.deposit{value: 1 ether}();
        PackedUserOperation memory op = sponsoredTransfer();
        assertRefused(op);
        op.paymasterAndData = abi.encodePacked(firstBytes(op.paymasterAndData, SIGNATURE), new bytes(65));
        assertRefused(op);
        op = resign(op);
        expectFailedOp("AA34 signature error");
        handle(op);
    }

    function test_refusesAnotherSigner() public {
        uint256[4] memory keys = [signerKey, sessionKey, cosignerKey, uint256(keccak256("admin"))];
        for (uint256 i = 0; i < keys.length; ++i) {
            sponsorKey = keys[i];
            assertRefused(sponsoredTransfer());
        }
        PackedUserOperation memory op = sponsoredTransfer();
        expectFailedOp("AA34 signature error");
        handle(op);
    }

    function test_refusesTheSignatureOfAnotherPaymaster() public {
        PackedUserOperation memory op = sponsoredTransfer();
        VerifyingPaymaster original = paymaster;
        paymaster = new VerifyingPaymaster(sponsor, admin);
        paymaster.deposit{value: 1 ether}();
        assertAccepted(sponsoredTransfer());
        bytes20 other = bytes20(address(paymaster));
        for (uint256 i = 0; i < 20; ++i) {
            op.paymasterAndData[i] = other[i];
        }
        assertNotEq(address(paymaster), address(original));
        assertRefused(op);
        op = resign(op);
        expectFailedOp("AA34 signature error");
        handle(op);
    }

    function test_refusesTheSignatureOfAnotherChain() public {
        PackedUserOperation memory op = sponsoredTransfer();
        vm.chainId(block.chainid + 1);
        assertRefused(op);
        op = resign(op);
        expectFailedOp("AA34 signature error");
        handle(op);
    }

    function test_refusesShortDataAndWrongSignaturesWithoutReverting() public {
        PackedUserOperation memory op = sponsoredTransfer();
        bytes memory complete = op.paymasterAndData;
        for (uint256 length = 52; length < complete.length; ++length) {
            op.paymasterAndData = firstBytes(complete, length);
            assertRefused(op);
        }
        op.paymasterAndData = abi.encodePacked(complete, bytes1(0));
        assertRefused(op);
        op.paymasterAndData = abi.encodePacked(firstBytes(complete, SIGNATURE), new bytes(65));
        assertRefused(op);
    }

    function test_entryPointRefusesDataWithoutAPaymastersSignature() public {
        PackedUserOperation memory op = sponsoredTransfer();
        op.paymasterAndData = firstBytes(op.paymasterAndData, 52);
        op = resign(op);
        expectFailedOp("AA34 signature error");
        handle(op);
    }

    function test_refusesAMalleableSignature() public {
        PackedUserOperation memory op = sponsoredTransfer();
        uint256 order = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141;
        bytes memory data = op.paymasterAndData;
        uint256 s;
        assembly ("memory-safe") {
            s := mload(add(data, add(32, add(SIGNATURE, 32))))
        }
        op.paymasterAndData =
            abi.encodePacked(firstBytes(data, SIGNATURE + 32), order - s, data[SIGNATURE + 64] ^ bytes1(0x07));
        assertRefused(op);
    }

    function test_refusesWithoutADeposit() public {
        uint256 deposited = depositInfo().deposit;
        vm.prank(admin);
        paymaster.withdraw(payable(admin), deposited);
        PackedUserOperation memory op = sponsoredTransfer();
        expectFailedOp("AA31 paymaster deposit too low");
        handle(op);
    }

    function test_paysForAnOperationThatRevertsInExecution() public {
        uint256 deposited = depositInfo().deposit;
        uint256 tokens = token.balanceOf(address(account));
        handle(signedOperation(transferCall(recipient, DEFAULT_LIMIT + 1)));
        assertEq(token.balanceOf(recipient), 0);
        assertEq(token.balanceOf(address(account)), tokens);
        assertEq(address(account).balance, 10 ether);
        assertEq(entryPoint.getNonce(address(account), 0), 1);
        assertLt(depositInfo().deposit, deposited);
    }

    function testFuzz_refusesEveryOtherSignature(bytes calldata signature) public {
        PackedUserOperation memory op = sponsoredTransfer();
        op.paymasterAndData = abi.encodePacked(firstBytes(op.paymasterAndData, SIGNATURE), signature);
        assertRefused(op);
    }

    function assertAccepted(PackedUserOperation memory op) private {
        assertEq(uint160(validationDataOf(op)), 0, "the paymaster refused");
    }

    function assertRefused(PackedUserOperation memory op) private {
        assertEq(uint160(validationDataOf(op)), 1, "the paymaster accepted");
    }

    function validationDataOf(PackedUserOperation memory op) private returns (uint256 validationData) {
        (, validationData) = ask(op);
    }

    function ask(PackedUserOperation memory op) private returns (bytes memory, uint256) {
        vm.prank(ENTRY_POINT);
        return paymaster.validatePaymasterUserOp(op, bytes32(0), 0);
    }

    function firstBytes(bytes memory data, uint256 length) private pure returns (bytes memory first) {
        first = new bytes(length);
        for (uint256 i = 0; i < length; ++i) {
            first[i] = data[i];
        }
    }

    function assertGasLimitTooHigh(PackedUserOperation memory op) private {
        vm.prank(ENTRY_POINT);
        vm.expectRevert(VerifyingPaymaster.GasLimitTooHigh.selector);
        paymaster.validatePaymasterUserOp(op, bytes32(0), 0);
    }
}
