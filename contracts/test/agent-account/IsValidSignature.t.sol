// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {AccountFixture} from "../support/AccountFixture.sol";

contract IsValidSignatureTest is AccountFixture {
    bytes4 private constant VALID = 0x1626ba7e;
    bytes4 private constant INVALID = 0xffffffff;
    bytes32 private constant DETECTION_HASH = 0x7739773977397739773977397739773977397739773977397739773977397739;
    bytes32 private constant HASH = keccak256("a hash that an application asks to sign");
    bytes32 private constant CONTENTS_HASH = keccak256("the struct hash of a mail");
    string private constant CONTENTS_TYPE = "Mail(string text)";

    bytes32 private applicationSeparator;
    bytes32 private typedHash;

    function setUp() public override {
        super.setUp();
        setCosigner(cosigner);
        applicationSeparator = domainSeparator("Mail application", makeAddress("application"));
        typedHash = MessageHashUtils.toTypedDataHash(applicationSeparator, CONTENTS_HASH);
    }

    // Personal messages

    function test_acceptsAPersonalMessageOfSignerAndCosigner() public view {
        assertEq(account.isValidSignature(HASH, personalSignature()), VALID);
    }

    function test_refusesAPersonalMessageForAnotherHash() public view {
        assertEq(account.isValidSignature(keccak256("another"), personalSignature()), INVALID);
    }

    function test_refusesAMissingCosignature() public view {
        bytes memory signerPart = rawSignature(signerKey, personalDigest(account, HASH));
        assertEq(account.isValidSignature(HASH, signerPart), INVALID);
        assertEq(account.isValidSignature(HASH, bytes.concat(signerPart, new bytes(65))), INVALID);
        assertEq(account.isValidSignature(HASH, bytes.concat(signerPart, signerPart)), INVALID);
    }

    function test_refusesAMissingSignatureOfTheSigner() public view {
        bytes memory cosignerPart = cosignature(cosignerKey, personalDigest(account, HASH), 0);
        assertEq(account.isValidSignature(HASH, cosignerPart), INVALID);
        assertEq(account.isValidSignature(HASH, bytes.concat(new bytes(65), cosignerPart)), INVALID);
    }

    function test_refusesTheSwappedOrder() public view {
        bytes32 digest = personalDigest(account, HASH);
        bytes memory swapped = bytes.concat(cosignature(cosignerKey, digest, 0), rawSignature(signerKey, digest));
        assertEq(account.isValidSignature(HASH, swapped), INVALID);
    }

    function test_refusesACosignerWhoSignedTheHashItself() public view {
        bytes32 digest = personalDigest(account, HASH);
        bytes memory signature = bytes.concat(rawSignature(signerKey, digest), rawSignature(cosignerKey, digest));
        assertEq(account.isValidSignature(HASH, signature), INVALID);
    }

    function test_refusesASignerWhoSignedTheHashWithoutNesting() public view {
        bytes memory signature = bytes.concat(rawSignature(signerKey, HASH), cosignature(cosignerKey, HASH, 0));
        assertEq(account.isValidSignature(HASH, signature), INVALID);
    }

    function test_refusesASignatureBySomeoneElse() public view {
        bytes32 digest = personalDigest(account, HASH);
        assertEq(
            account.isValidSignature(
                HASH, bytes.concat(rawSignature(sessionKey, digest), cosignature(cosignerKey, digest, 0))
            ),
            INVALID
        );
        assertEq(
            account.isValidSignature(
                HASH, bytes.concat(rawSignature(signerKey, digest), cosignature(sessionKey, digest, 0))
            ),
            INVALID
        );
    }

    function test_refusesACosignatureOfAnotherEpoch() public {
        bytes32 digest = personalDigest(account, HASH);
        assertEq(account.isValidSignature(HASH, signatureOf(digest, 1)), INVALID);
        freeze();
        unfreeze();
        assertEq(account.isValidSignature(HASH, signatureOf(digest, 0)), INVALID);
        assertEq(account.isValidSignature(HASH, signatureOf(digest, 1)), INVALID);
        assertEq(account.isValidSignature(HASH, signatureOf(digest, 3)), INVALID);
        assertEq(account.isValidSignature(HASH, signatureOf(digest, account.epochId())), VALID);
    }

    function test_refusesASignatureOfAnotherLength() public view {
        bytes memory signature = personalSignature();
        assertEq(account.isValidSignature(HASH, ""), INVALID);
        assertEq(account.isValidSignature(HASH, bytes.concat(signature, hex"00")), INVALID);
        bytes memory shortened = new bytes(129);
        for (uint256 i = 0; i < 129; ++i) {
            shortened[i] = signature[i];
        }
        assertEq(account.isValidSignature(HASH, shortened), INVALID);
    }

    function testFuzz_refusesAFlippedBit(uint256 position) public view {
        bytes memory signature = personalSignature();
        position %= 130 * 8;
        signature[position / 8] ^= bytes1(uint8(1 << (position % 8)));
        assertEq(account.isValidSignature(HASH, signature), INVALID);
    }

    function testFuzz_refusesAnyOtherSignature(bytes32 hash, bytes calldata signature) public view {
        vm.assume(hash != DETECTION_HASH || signature.length != 0);
        assertEq(account.isValidSignature(hash, signature), INVALID);
    }

    function test_refusesThePersonalMessageOfAnotherAccountOfTheSigner() public {
        AgentAccount other = otherAccount();
        assertEq(other.isValidSignature(HASH, personalSignature()), INVALID);
        bytes32 digest = personalDigest(other, HASH);
        // Even if the cosigner's part is of the right account, the signer's is not.
        assertEq(account.isValidSignature(HASH, signatureOf(digest, 0)), INVALID);
    }

    function test_refusesThePersonalMessageOnAnotherChain() public {
        bytes memory signature = personalSignature();
        vm.chainId(block.chainid + 1);
        assertEq(account.isValidSignature(HASH, signature), INVALID);
    }

    // Typed data

    function test_acceptsTypedDataOfSignerAndCosigner() public view {
        assertEq(account.isValidSignature(typedHash, typedSignature(account, 0)), VALID);
    }

    function test_refusesTypedDataForAnotherHash() public view {
        assertEq(account.isValidSignature(keccak256("another"), typedSignature(account, 0)), INVALID);
    }

    function test_refusesTypedDataWithoutACosignature() public view {
        bytes memory signerPart = rawSignature(signerKey, typedDigest(account));
        assertEq(account.isValidSignature(typedHash, nested(signerPart)), INVALID);
    }

    function test_refusesTypedDataInTheSwappedOrder() public view {
        bytes32 digest = typedDigest(account);
        bytes memory swapped = bytes.concat(cosignature(cosignerKey, digest, 0), rawSignature(signerKey, digest));
        assertEq(account.isValidSignature(typedHash, nested(swapped)), INVALID);
    }

    function test_refusesTypedDataOfAnotherEpoch() public {
        bytes memory early = typedSignature(account, 0);
        freeze();
        unfreeze();
        assertEq(account.isValidSignature(typedHash, early), INVALID);
        assertEq(account.isValidSignature(typedHash, typedSignature(account, account.epochId())), VALID);
    }

    function test_refusesTheTypedDataOfAnotherAccountOfTheSigner() public {
        AgentAccount other = otherAccount();
        assertEq(other.isValidSignature(typedHash, typedSignature(account, 0)), INVALID);
        bytes32 digest = typedDigest(account);
        bytes memory withOtherCosignature =
            bytes.concat(rawSignature(signerKey, digest), rawSignature(cosignerKey, cosignedDigest(other, digest, 0)));
        assertEq(other.isValidSignature(typedHash, nested(withOtherCosignature)), INVALID);
    }

    function test_refusesTypedDataWithoutATypeName() public view {
        bytes memory raw = signatureOf(typedDigest(account), 0);
        bytes memory signature = abi.encodePacked(raw, applicationSeparator, CONTENTS_HASH, uint16(0));
        assertEq(account.isValidSignature(typedHash, signature), INVALID);
    }

    // Cosigner

    function test_refusesEverythingWithoutACosigner() public {
        bytes memory signature = personalSignature();
        bytes memory typed = typedSignature(account, 0);
        setCosigner(address(0));
        assertEq(account.isValidSignature(HASH, signature), INVALID);
        assertEq(account.isValidSignature(typedHash, typed), INVALID);
        bytes memory zeros = bytes.concat(rawSignature(signerKey, personalDigest(account, HASH)), new bytes(65));
        assertEq(account.isValidSignature(HASH, zeros), INVALID);
    }

    function test_refusesTheFormerCosigner() public {
        bytes memory signature = personalSignature();
        setCosigner(stranger);
        assertEq(account.isValidSignature(HASH, signature), INVALID);
    }

    function test_refusesTheFormerSigner() public {
        vm.prank(ENTRY_POINT);
        account.changeSigner(0, stranger);
        assertEq(account.isValidSignature(HASH, signatureOf(personalDigest(account, HASH), account.epochId())), INVALID);
    }

    // Freeze

    function test_refusesEverythingWhileFrozen() public {
        freeze();
        assertEq(account.isValidSignature(HASH, signatureOf(personalDigest(account, HASH), 0)), INVALID);
        assertEq(account.isValidSignature(HASH, signatureOf(personalDigest(account, HASH), account.epochId())), INVALID);
        assertEq(account.isValidSignature(typedHash, typedSignature(account, account.epochId())), INVALID);
    }

    function test_refusesAnEarlierMessageAfterUnfreezing() public {
        bytes memory early = personalSignature();
        freeze();
        assertEq(account.isValidSignature(HASH, early), INVALID);
        unfreeze();
        assertEq(account.isValidSignature(HASH, early), INVALID);
        assertEq(account.isValidSignature(HASH, personalSignature()), VALID);
    }

    function test_answersTheDetectionOfERC7739UnlessFrozen() public {
        assertEq(account.isValidSignature(DETECTION_HASH, ""), bytes4(0x77390001));
        assertEq(account.isValidSignature(DETECTION_HASH, hex"00"), INVALID);
        freeze();
        assertEq(account.isValidSignature(DETECTION_HASH, ""), INVALID);
    }

    // Separation from operations

    function test_refusesAnOperationSignatureAsAMessage() public view {
        bytes memory part = rawSignature(signerKey, MessageHashUtils.toTypedDataHash(separator(account), HASH));
        assertEq(account.isValidSignature(HASH, bytes.concat(part, part)), INVALID);
    }

    function setCosigner(address newCosigner) private {
        vm.prank(policyManager);
        guardian.setCosigner(account, newCosigner);
    }

    function otherAccount() private returns (AgentAccount other) {
        other = AgentAccount(payable(factory.createAccount(signer, address(0), bytes32(uint256(1)))));
        vm.prank(policyManager);
        guardian.setCosigner(other, cosigner);
    }

    function separator(AgentAccount of_) private view returns (bytes32) {
        return domainSeparator("Purser AgentAccount", address(of_));
    }

    function typedDigest(AgentAccount of_) private view returns (bytes32) {
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256(
                    "TypedDataSign(Mail contents,string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)Mail(string text)"
                ),
                CONTENTS_HASH,
                keccak256("Purser AgentAccount"),
                keccak256("1"),
                block.chainid,
                of_,
                bytes32(0)
            )
        );
        return MessageHashUtils.toTypedDataHash(applicationSeparator, structHash);
    }

    function cosignature(uint256 key, bytes32 digest, uint80 epochId) private view returns (bytes memory) {
        return rawSignature(key, cosignedDigest(account, digest, epochId));
    }

    function signatureOf(bytes32 digest, uint80 epochId) private view returns (bytes memory) {
        return bytes.concat(rawSignature(signerKey, digest), cosignature(cosignerKey, digest, epochId));
    }

    /// @dev The personal message of the account in its current epoch.
    function personalSignature() private view returns (bytes memory) {
        return signatureOf(personalDigest(account, HASH), account.epochId());
    }

    function typedSignature(AgentAccount of_, uint80 epochId) private view returns (bytes memory) {
        return nested(signatureOf(typedDigest(of_), epochId));
    }

    function nested(bytes memory raw) private view returns (bytes memory) {
        return
            abi.encodePacked(
                raw, applicationSeparator, CONTENTS_HASH, CONTENTS_TYPE, uint16(bytes(CONTENTS_TYPE).length)
            );
    }
}
