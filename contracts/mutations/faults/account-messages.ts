import type { FaultsOfSource } from "../fault.ts";

/** Faults in how an account validates ERC-1271 signatures. */
export const ACCOUNT_MESSAGE_FAULTS: FaultsOfSource = {
  source: "AgentAccount.sol",
  faults: [
    {
      id: "cosignature-typehash",
      find: "Cosignature(bytes32 hash,uint80 epochId)",
      replace: "Cosignature(bytes32 hash,uint256 epochId)",
      meaning: "The cosigner's signatures are invalid, because their type differs.",
    },
    {
      id: "message-frozen-unchecked",
      find: "AccountStorage.load().frozen ? bytes4(0xffffffff) : super.isValidSignature(hash, signature)",
      replace: "super.isValidSignature(hash, signature)",
      meaning: "A frozen account accepts ERC-1271 signatures.",
    },
    {
      id: "message-frozen-accepted",
      find: "bytes4(0xffffffff)",
      replace: "bytes4(0x1626ba7e)",
      meaning: "A frozen account accepts every ERC-1271 signature.",
    },
    {
      id: "message-frozen-negated",
      find: "AccountStorage.load().frozen ?",
      replace: "!AccountStorage.load().frozen ?",
      meaning: "Only a frozen account accepts ERC-1271 signatures.",
    },
    {
      id: "cosigner-zero",
      find: "$.cosigner == address(0) || signature.length",
      replace: "signature.length",
      meaning: "Without a cosigner, its part is checked against the zero address.",
      equivalentBecause: "`_isSignedBy` never accepts the zero address, because a failed recovery returns an error.",
    },
    {
      id: "cosigned-length-unchecked",
      find: "$.cosigner == address(0) || signature.length != 130",
      replace: "$.cosigner == address(0)",
      meaning: "A short ERC-1271 signature reverts instead of being invalid.",
    },
    {
      id: "cosigned-length-one-part",
      find: "signature.length != 130",
      replace: "signature.length != 65",
      meaning: "An ERC-1271 signature has only the signer's part.",
    },
    {
      id: "cosigned-without-epoch",
      find: "abi.encode(COSIGNATURE_TYPEHASH, hash, $.epochId)",
      replace: "abi.encode(COSIGNATURE_TYPEHASH, hash, uint80(0))",
      meaning: "A message that was signed before a freeze is valid after it.",
    },
    {
      id: "cosigned-without-hash",
      find: "abi.encode(COSIGNATURE_TYPEHASH, hash, $.epochId)",
      replace: "abi.encode(COSIGNATURE_TYPEHASH, bytes32(0), $.epochId)",
      meaning: "One signature of the cosigner is valid for every message.",
    },
    {
      id: "cosigned-without-domain",
      find: "_hashTypedDataV4(keccak256(abi.encode(COSIGNATURE_TYPEHASH, hash, $.epochId)))",
      replace: "keccak256(abi.encode(COSIGNATURE_TYPEHASH, hash, $.epochId))",
      meaning: "A cosigner's signature is valid for other accounts and chains.",
    },
    {
      id: "cosigned-same-hash",
      find: "_isSignedBy($.cosigner, cosignedHash,",
      replace: "_isSignedBy($.cosigner, hash,",
      meaning: "The cosigner signs the same hash as the signer, without the epoch.",
    },
    {
      id: "message-without-cosigner",
      find: " && _isSignedBy($.cosigner, cosignedHash, signature[65:])",
      replace: "",
      meaning: "The signer alone signs messages.",
    },
    {
      id: "message-without-signer",
      find: "_isSignedBy($.signer, hash, signature[:65]) && ",
      replace: "",
      meaning: "The cosigner alone signs messages.",
    },
    {
      id: "message-by-either",
      find: "signature[:65]) && _isSignedBy",
      replace: "signature[:65]) || _isSignedBy",
      meaning: "The signer or the cosigner alone signs messages.",
    },
    {
      id: "message-order-swapped",
      find: "_isSignedBy($.signer, hash, signature[:65]) && _isSignedBy($.cosigner, cosignedHash, signature[65:])",
      replace: "_isSignedBy($.signer, hash, signature[65:]) && _isSignedBy($.cosigner, cosignedHash, signature[:65])",
      meaning: "The cosigner's part comes first.",
    },
    {
      id: "cosigned-with-8-bits",
      find: "abi.encode(COSIGNATURE_TYPEHASH, hash, $.epochId)",
      replace: "abi.encode(COSIGNATURE_TYPEHASH, hash, uint8($.epochId))",
      meaning: "One in 256 cosignatures of earlier epochs is valid.",
    },
    {
      id: "cosigned-with-epoch-number",
      find: "abi.encode(COSIGNATURE_TYPEHASH, hash, $.epochId)",
      replace: "abi.encode(COSIGNATURE_TYPEHASH, hash, $.epochId >> 48)",
      meaning: "A message can be signed for a later epoch.",
    },
  ],
};
