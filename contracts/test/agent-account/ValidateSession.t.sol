// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {AccountFixture} from "../support/AccountFixture.sol";

/// @notice `validateUserOp` for operations that call `executeAsSession`.
contract ValidateSessionTest is AccountFixture {
    uint256 private constant SIGNATURE_FAILED = 1;
    uint48 private constant SESSION_START = START - 100;
    uint48 private constant SESSION_END = START + 100;

    function setUp() public override {
        super.setUp();
        grant(sessionSigner, SESSION_START, SESSION_END);
    }

    // Time

    function test_returnsTheBeginningAndTheEndOfTheSession() public {
        assertEq(validate(operationUntil(SESSION_END + 1)), validity(SESSION_START, SESSION_END));
    }

    function test_returnsTheEndThatTheKeySignedIfItIsEarlier() public {
        assertEq(validate(operationUntil(SESSION_END - 1)), validity(SESSION_START, SESSION_END - 1));
        assertEq(validate(operationUntil(SESSION_END)), validity(SESSION_START, SESSION_END));
    }

    function test_acceptsTheKeyInTheLastSecondOfItsSession() public {
        vm.warp(SESSION_END);
        handle(operationUntil(START + 1 days));
        assertEq(token.balanceOf(recipient), 1);
    }

    function test_refusesTheKeyOneSecondAfterItsSession() public {
        vm.warp(SESSION_END + 1);
        PackedUserOperation memory op = operationUntil(START + 1 days);
        expectExpiry();
        handle(op);
    }

    function test_refusesTheKeyBeforeItsSessionAndInTheSecondOfItsBeginning() public {
        PackedUserOperation memory op = operationUntil(START + 1 days);
        vm.warp(SESSION_START - 1);
        expectExpiry();
        handle(op);
        // The EntryPoint 0.8 accepts an operation only after `validAfter`.
        vm.warp(SESSION_START);
        expectExpiry();
        handle(op);
        vm.warp(SESSION_START + 1);
        handle(op);
        assertEq(token.balanceOf(recipient), 1);
    }

    function test_refusesAnEndOfZeroThatTheKeySigned() public {
        assertEq(validate(operationUntil(0)), SIGNATURE_FAILED);
    }

    function testFuzz_neverExtendsTheSession(uint48 validAfter, uint48 validUntil, uint48 signed) public {
        vm.assume(validAfter < validUntil && signed != 0);
        grant(sessionSigner, validAfter, validUntil);
        uint48 end = signed < validUntil ? signed : validUntil;
        assertEq(validate(operationUntil(signed)), validity(validAfter, end));
    }

    // Key

    function test_refusesTheSignerInPlaceOfTheKey() public {
        PackedUserOperation memory op = operationUntil(SESSION_END);
        assertEq(validate(signOperation(op, signerKey, SESSION_END)), SIGNATURE_FAILED);
    }

    function test_refusesTheSignerAsAKeyWithoutASession() public {
        PackedUserOperation memory op = signOperation(operationOf(signer, SESSION), signerKey, SESSION_END);
        expectSessionDenied(signer, address(token));
        handle(op);
    }

    function test_acceptsTheSignerAsASessionKey() public {
        grant(signer, SESSION_START, SESSION_END);
        handle(signOperation(operationOf(signer, SESSION + 1), signerKey, SESSION_END));
        assertEq(token.balanceOf(recipient), 1);
    }

    function test_refusesTheKeyOfAnotherSession() public {
        grant(stranger, SESSION_START, SESSION_END);
        PackedUserOperation memory op = operationUntil(SESSION_END);
        assertEq(validate(signOperation(op, uint256(keccak256("stranger")), SESSION_END)), SIGNATURE_FAILED);
        op = operationOf(stranger, SESSION + 1);
        assertEq(validate(signOperation(op, sessionKey, SESSION_END)), SIGNATURE_FAILED);
    }

    function test_refusesAKeyWithoutASession() public {
        uint256 key = uint256(keccak256("stranger"));
        PackedUserOperation memory op = signOperation(operationOf(stranger, SESSION), key, SESSION_END);
        expectSessionDenied(stranger, address(token));
        handle(op);
        // The number, the epoch and the token of a key without a session are zero.
        bytes memory callData = abi.encodeCall(account.executeAsSession, (0, stranger, 0, address(0), recipient, 0));
        op = withSponsor(operationInLane(uint160(stranger), callData));
        op = signOperation(op, key, SESSION_END);
        expectValidationRevert(abi.encodeWithSelector(AgentAccount.SessionLimitExceeded.selector, stranger, 0, 0));
        handle(op);
    }

    // What the session allows

    function test_refusesTheNumberOfAnotherSession() public {
        uint32[4] memory numbers = [uint32(0), SESSION + 1, SESSION + (1 << 8), type(uint32).max];
        for (uint256 i = 0; i < numbers.length; ++i) {
            PackedUserOperation memory op = operationOf(sessionSigner, numbers[i]);
            op = signOperation(op, sessionKey, SESSION_END);
            expectSessionDenied(sessionSigner, address(token));
            handle(op);
        }
    }

    function test_refusesTheZeroKey() public {
        bytes memory callData = abi.encodeCall(account.executeAsSession, (0, address(0), 0, address(0), recipient, 0));
        PackedUserOperation memory op = withSponsor(operation(callData));
        op.signature = abi.encodePacked(SESSION_END, new bytes(65));
        expectValidationRevert(abi.encodeWithSelector(AgentAccount.SessionLimitExceeded.selector, address(0), 0, 0));
        handle(op);
    }

    function test_refusesTheKeyForEachOtherFunction() public {
        AgentAccount.Call[] memory batch = new AgentAccount.Call[](0);
        bytes[7] memory calls = [
            transferCall(recipient, 1),
            abi.encodeCall(account.executeBatch, (0, batch)),
            abi.encodeCall(account.grantSession, (0, sessionSigner, address(token), 1, 1, 2)),
            abi.encodeCall(account.revokeSession, (0, sessionSigner)),
            abi.encodeCall(account.changeSigner, (0, sessionSigner)),
            abi.encodeCall(account.upgrade, (0, address(implementation))),
            bytes("")
        ];
        for (uint256 i = 0; i < calls.length; ++i) {
            assertEq(validate(signSession(calls[i], SESSION_END)), SIGNATURE_FAILED);
        }
    }

    function test_refusesASessionOfAnEarlierEpoch() public {
        freeze();
        unfreeze();
        PackedUserOperation memory op = operationUntil(SESSION_END);
        assertEq(op.nonce >> 224, 2);
        expectSessionDenied(sessionSigner, address(token));
        handle(op);
        grant(sessionSigner, SESSION_START, SESSION_END);
        assertEq(validate(operationUntil(SESSION_END)), validity(SESSION_START, SESSION_END));
    }

    function test_refusesARevokedKey() public {
        PackedUserOperation memory op = operationUntil(SESSION_END);
        vm.prank(ENTRY_POINT);
        account.revokeSession(0, sessionSigner);
        expectSessionDenied(sessionSigner, address(token));
        handle(op);
    }

    function test_returnsTheTimesOfAReplacedSession() public {
        grant(sessionSigner, START + 5, START + 6);
        assertEq(validate(operationUntil(SESSION_END)), validity(START + 5, START + 6));
    }

    // Lane

    function testFuzz_refusesTheKeyInAnyOtherLane(uint160 lane) public {
        vm.assume(lane != uint160(sessionSigner));
        bytes memory callData = sessionCall(address(token), recipient, 1);
        PackedUserOperation memory op = withSponsor(operationInLane(lane, callData));
        assertEq(validate(signOperation(op, sessionKey, SESSION_END)), SIGNATURE_FAILED);
    }

    function test_refusesTheKeyInALaneThatDiffersInOneBit() public {
        for (uint256 i = 0; i < 160; ++i) {
            testFuzz_refusesTheKeyInAnyOtherLane(uint160(sessionSigner) ^ uint160(1 << i));
        }
    }

    function test_leavesTheNoncesOfTheSignerAndOfOtherKeys() public {
        handle(operationUntil(SESSION_END));
        handle(operationUntil(SESSION_END));
        assertEq(account.getNonce(), 0);
        assertEq(uint64(account.getNonce(uint160(stranger))), 0);
        assertEq(uint64(account.getNonce(uint160(sessionSigner))), 2);
    }

    // Length of the call

    function test_revertsIfAnArgumentIsMissing() public {
        bytes memory whole = sessionCall(address(token), recipient, 1);
        for (uint256 length = 4; length < whole.length; ++length) {
            PackedUserOperation memory op = signSession(prefix(whole, length), SESSION_END);
            expectValidationRevert("");
            handle(op);
        }
    }

    function test_asksForTheSignerIfTheCallIsShorterThanASelector() public {
        bytes memory whole = sessionCall(address(token), recipient, 1);
        for (uint256 length = 0; length < 4; ++length) {
            PackedUserOperation memory op = signSession(prefix(whole, length), SESSION_END);
            assertEq(validate(op), SIGNATURE_FAILED);
            assertEq(validate(signOperation(op, signerKey, SESSION_END)), validity(0, SESSION_END));
        }
    }

    function grant(address key, uint48 validAfter, uint48 validUntil) private {
        uint80 epochId = account.epochId();
        vm.prank(ENTRY_POINT);
        account.grantSession(epochId, key, address(token), 10e6, validAfter, validUntil);
    }

    function operationUntil(uint48 validUntil) private view returns (PackedUserOperation memory) {
        return signSession(sessionCall(address(token), recipient, 1), validUntil);
    }

    /// @dev An operation in the lane of the key, without its signature.
    function operationOf(address key, uint32 number) private view returns (PackedUserOperation memory) {
        bytes memory callData = abi.encodeCall(account.executeAsSession, (0, key, number, address(token), recipient, 1));
        return withSponsor(operationInLane(uint160(key), callData));
    }

    function validity(uint48 validAfter, uint48 validUntil) private pure returns (uint256) {
        return (uint256(validAfter) << 208) | (uint256(validUntil) << 160);
    }

    function expectExpiry() private {
        vm.expectRevert(abi.encodeWithSelector(FailedOp.selector, 0, "AA22 expired or not due"));
    }

    function prefix(bytes memory data, uint256 length) private pure returns (bytes memory shortened) {
        shortened = new bytes(length);
        for (uint256 i = 0; i < length; ++i) {
            shortened[i] = data[i];
        }
    }
}
