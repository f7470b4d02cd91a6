// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Account} from "@openzeppelin/contracts/account/Account.sol";
import {IEntryPointExtra} from "@openzeppelin/contracts/account/utils/ERC4337Utils.sol";
import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {AccountFixture} from "../support/AccountFixture.sol";

/// @notice Operations of the signer. `ValidateSession.t.sol` tests those of session keys.
contract ValidateUserOpTest is AccountFixture {
    uint256 private constant SIGNATURE_FAILED = 1;
    /// @dev The order of the group of the curve secp256k1.
    uint256 private constant CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;

    // Time

    function test_returnsTheEndThatTheSignerSigned() public {
        assertEq(validate(operationUntil(START + 1)), uint256(START + 1) << 160);
    }

    function test_acceptsAnOperationInItsLastSecond() public {
        handle(operationUntil(START));
        assertEq(token.balanceOf(recipient), 1);
    }

    function test_refusesAnOperationOneSecondAfterItsEnd() public {
        PackedUserOperation memory op = operationUntil(START - 1);
        vm.expectRevert(abi.encodeWithSelector(FailedOp.selector, 0, "AA22 expired or not due"));
        handle(op);
    }

    function test_refusesAnEndOfZero() public {
        PackedUserOperation memory op = operationUntil(0);
        assertEq(validate(op), SIGNATURE_FAILED);
        expectSignatureError();
        handle(op);
    }

    function test_keepsAnEndWithTheTopBitAsATime() public {
        // The EntryPoint 0.9 reads the top bit as a flag and the rest as the end. Here no end must become zero.
        uint48 flag = 1 << 47;
        assertEq(validate(operationUntil(flag)), uint256(flag) << 160);
        assertEq(validate(operationUntil(type(uint48).max)), uint256(type(uint48).max) << 160);
        handle(operationUntil(flag));
        assertEq(token.balanceOf(recipient), 1);
    }

    function testFuzz_returnsEachEnd(uint48 validUntil) public {
        vm.assume(validUntil != 0);
        assertEq(validate(operationUntil(validUntil)), uint256(validUntil) << 160);
    }

    // Signature

    function test_refusesASignatureOfAnotherLength() public {
        PackedUserOperation memory op = operationUntil(START + 1);
        bytes memory signature = op.signature;
        op.signature = "";
        assertEq(validate(op), SIGNATURE_FAILED);
        op.signature = abi.encodePacked(START + 1);
        assertEq(validate(op), SIGNATURE_FAILED);
        op.signature = withLength(signature, 70);
        assertEq(validate(op), SIGNATURE_FAILED);
        op.signature = bytes.concat(signature, hex"00");
        assertEq(validate(op), SIGNATURE_FAILED);
        op.signature = signature;
        assertEq(validate(op), uint256(START + 1) << 160);
    }

    function test_refusesAPrefixOfASignature() public {
        PackedUserOperation memory op = operationUntil(type(uint48).max);
        bytes memory signature = op.signature;
        for (uint256 length = 0; length < 71; ++length) {
            op.signature = withLength(signature, length);
            assertEq(validate(op), SIGNATURE_FAILED);
        }
    }

    function testFuzz_refusesASignatureOfAnyOtherLength(bytes memory signature) public {
        PackedUserOperation memory op = operationUntil(START + 1);
        vm.assume(signature.length != 71);
        op.signature = signature;
        assertEq(validate(op), SIGNATURE_FAILED);
    }

    function test_refusesACompactSignature() public {
        PackedUserOperation memory op = operationUntil(START + 1);
        (bytes32 r, bytes32 vs) = vm.signCompact(signerKey, digestOf(op, START + 1, address(account)));
        op.signature = abi.encodePacked(START + 1, r, vs);
        assertEq(validate(op), SIGNATURE_FAILED);
    }

    function test_refusesAMalleatedSignature() public {
        PackedUserOperation memory op = operationUntil(START + 1);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(signerKey, digestOf(op, START + 1, address(account)));
        op.signature = abi.encodePacked(START + 1, r, CURVE_ORDER - uint256(s), v ^ 7);
        assertEq(
            ecrecover(digestOf(op, START + 1, address(account)), v ^ 7, r, bytes32(CURVE_ORDER - uint256(s))), signer
        );
        assertEq(validate(op), SIGNATURE_FAILED);
    }

    function test_refusesARecoveryIdOfZeroOrOne() public {
        PackedUserOperation memory op = operationUntil(START + 1);
        for (uint8 v = 0; v < 2; ++v) {
            op.signature[70] = bytes1(v);
            assertEq(validate(op), SIGNATURE_FAILED);
        }
    }

    function test_refusesASignatureOfZeros() public {
        PackedUserOperation memory op = operationUntil(START + 1);
        op.signature = abi.encodePacked(START + 1, new bytes(65));
        assertEq(validate(op), SIGNATURE_FAILED);
    }

    function test_refusesASignatureBySomeoneElse() public {
        PackedUserOperation memory op = withSponsor(operation(transferCall(recipient, 1)));
        op = signOperation(op, uint256(keccak256("stranger")), START + 1);
        assertEq(validate(op), SIGNATURE_FAILED);
        expectSignatureError();
        handle(op);
    }

    function test_refusesASignatureForAnotherAccount() public {
        PackedUserOperation memory op = operationUntil(START + 1);
        address other = address(createAccount(stranger, address(0)));
        op.signature = abi.encodePacked(START + 1, rawSignature(signerKey, digestOf(op, START + 1, other)));
        assertEq(validate(op), SIGNATURE_FAILED);
    }

    function test_refusesTheOperationOfAnotherAccountOfTheSigner() public {
        AgentAccount other = AgentAccount(payable(factory.createAccount(signer, address(0), bytes32(uint256(1)))));
        PackedUserOperation memory op = operationUntil(START + 1);
        op.sender = address(other);
        expectSignatureError();
        handle(op);
    }

    function test_refusesASignatureForAnotherChain() public {
        PackedUserOperation memory op = operationUntil(START + 1);
        uint256 chainId = block.chainid;
        vm.chainId(chainId + 1);
        op = signOperation(op, signerKey, START + 1);
        vm.chainId(chainId);
        assertEq(validate(op), SIGNATURE_FAILED);
    }

    function test_refusesTheHashOfTheOperationInTheDomainOfAnotherChain() public {
        PackedUserOperation memory op = operationUntil(START + 1);
        bytes32 structHash = structHashOf(op, START + 1);
        uint256 chainId = block.chainid;
        vm.chainId(chainId + 1);
        bytes32 separator = domainSeparator("Purser AgentAccount", address(account));
        vm.chainId(chainId);
        bytes32 digest = MessageHashUtils.toTypedDataHash(separator, structHash);
        op.signature = abi.encodePacked(START + 1, rawSignature(signerKey, digest));
        assertEq(validate(op), SIGNATURE_FAILED);
    }

    function test_refusesASignatureOfTheBareHash() public {
        PackedUserOperation memory op = operationUntil(START + 1);
        bytes32 userOpHash = IEntryPointExtra(ENTRY_POINT).getUserOpHash(op);
        op.signature = abi.encodePacked(START + 1, rawSignature(signerKey, userOpHash));
        assertEq(validate(op), SIGNATURE_FAILED);
    }

    function test_refusesASignatureForAnotherOperation() public {
        PackedUserOperation memory op = withSponsor(operation(transferCall(recipient, 2)));
        op.signature = operationUntil(START + 1).signature;
        assertEq(validate(op), SIGNATURE_FAILED);
    }

    function testFuzz_refusesASignatureForAnotherHash(bytes32 userOpHash) public {
        PackedUserOperation memory op = operationUntil(START + 1);
        vm.assume(userOpHash != IEntryPointExtra(ENTRY_POINT).getUserOpHash(op));
        vm.prank(ENTRY_POINT);
        assertEq(account.validateUserOp(op, userOpHash, 0), SIGNATURE_FAILED);
    }

    function testFuzz_refusesASignatureForAnotherEnd(uint48 signed, uint48 claimed) public {
        vm.assume(signed != claimed);
        PackedUserOperation memory op = operationUntil(signed);
        bytes memory altered = abi.encodePacked(claimed);
        for (uint256 i = 0; i < 6; ++i) {
            op.signature[i] = altered[i];
        }
        assertEq(validate(op), SIGNATURE_FAILED);
    }

    function testFuzz_refusesAFlippedBitOfTheSignature(uint256 position) public {
        PackedUserOperation memory op = operationUntil(START + 1);
        flip(op.signature, position);
        assertEq(validate(op), SIGNATURE_FAILED);
    }

    function testFuzz_refusesAFlippedBitOfTheOperation(uint256 field, uint256 position) public {
        PackedUserOperation memory op = operationUntil(START + 1);
        uint256 flipped = 1 << (position % 256);
        field %= 6;
        if (field == 0) op.nonce ^= flipped;
        if (field == 1) op.preVerificationGas ^= flipped;
        if (field == 2) op.accountGasLimits ^= bytes32(flipped);
        if (field == 3) op.gasFees ^= bytes32(flipped);
        if (field == 4) flip(op.callData, position);
        if (field == 5) flip(op.paymasterAndData, position);
        bytes32 userOpHash = IEntryPointExtra(ENTRY_POINT).getUserOpHash(op);
        (bool success, bytes memory result) =
            callAccount(ENTRY_POINT, abi.encodeCall(account.validateUserOp, (op, userOpHash, 0)));
        if (success) {
            assertEq(abi.decode(result, (uint256)), SIGNATURE_FAILED);
        } else {
            // Only the upper 32 bits of the nonce make validation revert.
            assertEq(result, abi.encodeWithSelector(AgentAccount.StaleEpoch.selector, op.nonce >> 224, 0));
            assertGt(op.nonce >> 224, 0);
        }
    }

    // Epoch and freeze

    function test_refusesAnEpochInTheNonceThatIsLowerOrHigher() public {
        freeze();
        unfreeze();
        freeze();
        unfreeze();
        uint256[6] memory epochs = [uint256(0), 3, 5, 4 + (1 << 8), 4 + (1 << 16), type(uint32).max];
        for (uint256 i = 0; i < epochs.length; ++i) {
            PackedUserOperation memory op = operation(transferCall(recipient, 1));
            op.nonce = epochs[i] << 224;
            op = signOperation(withSponsor(op), signerKey, START + 1);
            expectValidationRevert(abi.encodeWithSelector(AgentAccount.StaleEpoch.selector, epochs[i], 4));
            handle(op);
        }
        handle(signedOperation(transferCall(recipient, 1)));
        assertEq(token.balanceOf(recipient), 1);
    }

    function test_acceptsLanesInParallel() public {
        PackedUserOperation[] memory ops = new PackedUserOperation[](3);
        uint160[3] memory lanes = [0, 1, type(uint160).max];
        for (uint256 i = 0; i < 3; ++i) {
            ops[i] = operationInLane(lanes[i], transferCall(recipient, 1));
            ops[i] = signOperation(withSponsor(ops[i]), signerKey, START + 1);
        }
        handleBundle(ops);
        assertEq(token.balanceOf(recipient), 3);
        for (uint256 i = 0; i < 3; ++i) {
            assertEq(uint64(account.getNonce(uint192(lanes[i]))), 1);
        }
    }

    function test_namesTheFreezeBeforeTheEpochAndTheGas() public {
        PackedUserOperation memory op = operation(transferCall(recipient, 1));
        freeze();
        expectValidationRevert(abi.encodeWithSelector(AgentAccount.AccountFrozen.selector));
        handle(op);
        unfreeze();
        expectValidationRevert(abi.encodeWithSelector(AgentAccount.StaleEpoch.selector, 0, 2));
        handle(op);
    }

    // Caller

    function testFuzz_refusesAnyCallerButTheEntryPoint(address caller) public {
        vm.assume(caller != ENTRY_POINT);
        PackedUserOperation memory op = operationUntil(START + 1);
        bytes32 userOpHash = IEntryPointExtra(ENTRY_POINT).getUserOpHash(op);
        vm.prank(caller);
        vm.expectRevert(abi.encodeWithSelector(Account.AccountUnauthorized.selector, caller));
        account.validateUserOp(op, userOpHash, 0);
    }

    function test_changesNothingAsTheCallOfAnOperation() public {
        PackedUserOperation memory inner = operationUntil(START + 1);
        inner.nonce = 5 << 64;
        inner = signOperation(inner, signerKey, START + 1);
        bytes32 innerHash = IEntryPointExtra(ENTRY_POINT).getUserOpHash(inner);
        PackedUserOperation memory op =
            signedOperation(abi.encodeCall(account.validateUserOp, (inner, innerHash, 5 ether)));
        vm.record();
        handle(op);
        (, bytes32[] memory writes) = vm.accesses(address(account));
        assertEq(writes.length, 0);
        assertEq(address(account).balance, 10 ether);
        assertEq(entryPoint.balanceOf(address(account)), 0);
        assertEq(uint64(account.getNonce(5)), 0);
    }

    function operationUntil(uint48 validUntil) private view returns (PackedUserOperation memory) {
        return signOperation(withSponsor(operation(transferCall(recipient, 1))), signerKey, validUntil);
    }

    function structHashOf(PackedUserOperation memory op, uint48 validUntil) private view returns (bytes32) {
        bytes32 userOpHash = IEntryPointExtra(ENTRY_POINT).getUserOpHash(op);
        return keccak256(
            abi.encode(
                keccak256("Operation(bytes32 userOpHash,uint48 validUntil,uint80 epochId,uint32 session)"),
                userOpHash,
                validUntil,
                account.epochId(),
                uint32(0)
            )
        );
    }

    function digestOf(PackedUserOperation memory op, uint48 validUntil, address verifyingContract)
        private
        view
        returns (bytes32)
    {
        bytes32 separator = domainSeparator("Purser AgentAccount", verifyingContract);
        return MessageHashUtils.toTypedDataHash(separator, structHashOf(op, validUntil));
    }

    function flip(bytes memory data, uint256 position) private pure {
        position %= data.length * 8;
        data[position / 8] ^= bytes1(uint8(1 << (position % 8)));
    }

    function withLength(bytes memory data, uint256 length) private pure returns (bytes memory shortened) {
        shortened = new bytes(length);
        for (uint256 i = 0; i < length; ++i) {
            shortened[i] = data[i];
        }
    }
}
