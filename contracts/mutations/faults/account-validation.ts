import type { FaultsOfSource } from "../fault.ts";

/** Faults in how an account validates operations. */
export const ACCOUNT_VALIDATION_FAULTS: FaultsOfSource = {
  source: "AgentAccount.sol",
  faults: [
    {
      id: "operation-typehash",
      find: "Operation(bytes32 userOpHash,uint48 validUntil)",
      replace: "Operation(bytes32 userOpHash,uint256 validUntil)",
      meaning: "Wallets cannot sign operations, because their type differs.",
    },
    {
      id: "validation-frozen-unchecked",
      find: "        if (isFrozen) revert AccountFrozen();\n        if (userOp",
      replace: "        if (userOp",
      meaning: "A frozen account validates operations, and anyone pays for their failure.",
    },
    {
      id: "validation-frozen-negated",
      find: "if (isFrozen) revert AccountFrozen();\n        if (userOp",
      replace: "if (!isFrozen) revert AccountFrozen();\n        if (userOp",
      meaning: "Only a frozen account validates operations.",
    },
    {
      id: "validation-epoch-unchecked",
      find: "        if (userOp.nonce >> 224 != currentEpoch) revert StaleEpoch(userOp.nonce >> 224, currentEpoch);\n",
      replace: "",
      meaning: "An operation that was signed before a freeze is valid after it.",
    },
    {
      id: "validation-epoch-past",
      find: "if (userOp.nonce >> 224 != currentEpoch)",
      replace: "if (userOp.nonce >> 224 > currentEpoch)",
      meaning: "Operations of earlier epochs are valid.",
    },
    {
      id: "validation-epoch-future",
      find: "if (userOp.nonce >> 224 != currentEpoch)",
      replace: "if (userOp.nonce >> 224 < currentEpoch)",
      meaning: "Operations can be signed for later epochs.",
    },
    {
      id: "validation-epoch-16-bits",
      find: "if (userOp.nonce >> 224 != currentEpoch)",
      replace: "if (uint16(userOp.nonce >> 224) != uint16(currentEpoch))",
      meaning: "Only the last 16 bits of the epoch are compared.",
    },
    {
      id: "validation-epoch-parity",
      find: "if (userOp.nonce >> 224 != currentEpoch)",
      replace: "if ((userOp.nonce >> 224) % 2 != currentEpoch % 2)",
      meaning: "Only the last bit of the epoch is compared.",
    },
    {
      id: "validation-epoch-shift",
      find: "if (userOp.nonce >> 224 != currentEpoch)",
      replace: "if (userOp.nonce >> 192 != currentEpoch)",
      meaning: "The epoch is read from other bits of the nonce.",
    },
    {
      id: "validation-epoch-high-bits",
      find: "if (userOp.nonce >> 224 != currentEpoch)",
      replace: "if (uint32(userOp.nonce >> 192) != currentEpoch)",
      meaning: "The epoch is read after the first 32 bits of the nonce, so those are free.",
    },
    {
      id: "validation-epoch-arguments",
      find: "StaleEpoch(userOp.nonce >> 224, currentEpoch)",
      replace: "StaleEpoch(currentEpoch, userOp.nonce >> 224)",
      meaning: "The error swaps the actual and the expected epoch.",
    },
    {
      id: "validation-self-paid",
      find: "        if (userOp.paymasterAndData.length == 0) revert SelfPaidGas();\n",
      replace: "",
      meaning: "An operation without a paymaster is validated.",
    },
    {
      id: "validation-self-paid-negated",
      find: "userOp.paymasterAndData.length == 0",
      replace: "userOp.paymasterAndData.length != 0",
      meaning: "Only operations without a paymaster are validated.",
    },
    {
      id: "prefund-paid",
      find: "    function _payPrefund(uint256) internal pure override {}\n",
      replace: "",
      meaning: "The account sends the EntryPoint the native coin that it asks for.",
    },
    {
      id: "signature-length-unchecked",
      find: "        if (signature.length != 71) return ERC4337Utils.SIG_VALIDATION_FAILED;\n",
      replace: "",
      meaning:
        "Validation reverts for a signature of a few bytes instead of returning that it is wrong.",
    },
    {
      id: "signature-length-reverts",
      find: "if (signature.length != 71) return ERC4337Utils.SIG_VALIDATION_FAILED;",
      replace: "if (signature.length != 71) revert InvalidSigner();",
      meaning:
        "Validation reverts for a signature of a wrong length instead of returning that it is wrong.",
    },
    {
      id: "signature-length-one-less",
      find: "signature.length != 71",
      replace: "signature.length != 70",
      meaning: "No signature has the right length.",
    },
    {
      id: "signature-end-at-end",
      find: "uint48(bytes6(signature));",
      replace: "uint48(bytes6(signature[65:]));",
      meaning: "The end of an operation is read from the last bytes of the signature.",
    },
    {
      id: "signature-after-end",
      find: "signature[6:]",
      replace: "signature[:65]",
      meaning: "The 65 bytes of the signature are read too early.",
    },
    {
      id: "signed-without-operation",
      find: "abi.encode(OPERATION_TYPEHASH, userOpHash, validUntil)",
      replace: "abi.encode(OPERATION_TYPEHASH, bytes32(0), validUntil)",
      meaning: "One signature is valid for every operation.",
    },
    {
      id: "signed-without-end",
      find: "abi.encode(OPERATION_TYPEHASH, userOpHash, validUntil)",
      replace: "abi.encode(OPERATION_TYPEHASH, userOpHash, uint48(0))",
      meaning: "The end of an operation is not signed.",
    },
    {
      id: "signed-without-domain",
      find: "_hashTypedDataV4(keccak256(abi.encode(OPERATION_TYPEHASH, userOpHash, validUntil)))",
      replace: "keccak256(abi.encode(OPERATION_TYPEHASH, userOpHash, validUntil))",
      meaning: "Operations are signed without the account's domain.",
    },
    {
      id: "signed-raw-hash",
      find: "!_isSignedBy(key, operationHash, signature[6:])",
      replace: "!_isSignedBy(key, userOpHash, signature[6:])",
      meaning: "The operation's hash is signed without its end.",
    },
    {
      id: "signed-by-cosigner",
      find: "= ($.signer, $.frozen, $.epoch);",
      replace: "= ($.cosigner, $.frozen, $.epoch);",
      meaning: "The cosigner signs operations.",
    },
    {
      id: "signed-by-recovery",
      find: "= ($.signer, $.frozen, $.epoch);",
      replace:
        "=\n            ($.recovery == address(0) ? $.signer : $.recovery, $.frozen, $.epoch);",
      meaning: "The recovery address signs operations, without a delay.",
    },
    {
      id: "session-validation-missing",
      find: "if (bytes4(userOp.callData) == this.executeAsSession.selector) {",
      replace: "if (false) {",
      meaning: "The signer instead of the session key signs a session's transfers.",
    },
    {
      id: "session-validation-of-execute",
      find: "== this.executeAsSession.selector",
      replace: "== this.execute.selector",
      meaning: "The key of `execute` is taken from its target.",
    },
    {
      id: "session-validation-of-all-else",
      find: "bytes4(userOp.callData) == this.executeAsSession.selector",
      replace: "bytes4(userOp.callData) != this.execute.selector",
      meaning: "A session key can replace the signer by itself.",
    },
    {
      id: "session-key-offset",
      find: "userOp.callData[4:36]",
      replace: "userOp.callData[36:68]",
      meaning: "The session key is read from the token's place.",
    },
    {
      id: "session-signed-by-signer",
      find: "            key = address(uint160(uint256(bytes32(userOp.callData[4:36]))));\n            AccountStorage.Session storage session = $.sessions[key];\n",
      replace:
        "            AccountStorage.Session storage session =\n                $.sessions[address(uint160(uint256(bytes32(userOp.callData[4:36]))))];\n",
      meaning: "The signer signs for any session, and its key for none.",
    },
    {
      id: "session-validation-epoch",
      find: "session.epoch != currentEpoch || uint160(userOp.nonce >> 64) != uint160(key)",
      replace: "uint160(userOp.nonce >> 64) != uint160(key)",
      meaning: "A session of an earlier epoch is validated.",
    },
    {
      id: "session-validation-epoch-reverts",
      find: "            if (session.epoch != currentEpoch || uint160(userOp.nonce >> 64) != uint160(key)) {\n",
      replace:
        "            if (session.epoch != currentEpoch) revert SessionDenied(key, session.token);\n            if (session.epoch != currentEpoch || uint160(userOp.nonce >> 64) != uint160(key)) {\n",
      meaning:
        "Validation reverts for a session of an earlier epoch instead of returning that it is wrong.",
    },
    {
      id: "session-lane-unchecked",
      find: " || uint160(userOp.nonce >> 64) != uint160(key)",
      replace: "",
      meaning: "A session key can use up the nonces of the signer.",
    },
    {
      id: "session-lane-part",
      find: "uint160(userOp.nonce >> 64) != uint160(key)",
      replace: "uint64(userOp.nonce >> 64) != uint64(uint160(key))",
      meaning: "Only the last 64 bits of the lane are compared.",
    },
    {
      id: "session-lane-shift",
      find: "uint160(userOp.nonce >> 64)",
      replace: "uint160(userOp.nonce)",
      meaning: "The lane of a session is read from other bits of the nonce.",
    },
    {
      id: "session-lane-needs-both",
      find: "session.epoch != currentEpoch || uint160(userOp.nonce >> 64) != uint160(key)",
      replace: "session.epoch != currentEpoch && uint160(userOp.nonce >> 64) != uint160(key)",
      meaning: "A session is refused only if its epoch and its lane are wrong.",
    },
    {
      id: "session-beginning-ignored",
      find: "            validAfter = session.validAfter;\n",
      replace: "",
      meaning: "A session key can act before its session begins.",
    },
    {
      id: "session-end-ignored",
      find: "            if (session.validUntil < validUntil) validUntil = session.validUntil;\n",
      replace: "",
      meaning: "A session key can act after its session has ended.",
    },
    {
      id: "session-end-later",
      find: "if (session.validUntil < validUntil)",
      replace: "if (session.validUntil > validUntil)",
      meaning: "The later instead of the earlier end applies to a session's operation.",
    },
    {
      id: "session-end-only",
      find: "if (session.validUntil < validUntil) validUntil",
      replace: "validUntil",
      meaning: "A session's operation is valid after the end that its key signed.",
    },
    {
      id: "session-period-swapped",
      find: "validAfter = session.validAfter;\n            if (session.validUntil < validUntil) validUntil = session.validUntil;",
      replace:
        "validAfter = session.validUntil;\n            if (session.validAfter < validUntil) validUntil = session.validAfter;",
      meaning: "The beginning and the end of a session are swapped.",
    },
    {
      id: "end-of-zero-accepted",
      find: "validUntil == 0 || !_isSignedBy(key",
      replace: "!_isSignedBy(key",
      meaning: "An operation can be signed without an end.",
    },
    {
      id: "end-of-zero-and-wrong-signature",
      find: "validUntil == 0 || !_isSignedBy(key",
      replace: "validUntil == 0 && !_isSignedBy(key",
      meaning: "Anyone can sign an operation that has an end.",
    },
    {
      id: "signature-unchecked",
      find: "validUntil == 0 || !_isSignedBy(key, operationHash, signature[6:])",
      replace: "validUntil == 0",
      meaning: "Anyone can sign operations.",
    },
    {
      id: "validation-period-swapped",
      find: "(uint256(validAfter) << 208) | (uint256(validUntil) << 160)",
      replace: "(uint256(validUntil) << 208) | (uint256(validAfter) << 160)",
      meaning: "The EntryPoint receives the beginning as the end.",
    },
    {
      id: "validation-end-missing",
      find: "(uint256(validAfter) << 208) | (uint256(validUntil) << 160)",
      replace: "uint256(validAfter) << 208",
      meaning: "The EntryPoint executes operations after their end.",
    },
    {
      id: "validation-beginning-missing",
      find: "(uint256(validAfter) << 208) | (uint256(validUntil) << 160)",
      replace: "uint256(validUntil) << 160",
      meaning: "The EntryPoint executes a session's operations before its beginning.",
    },
    {
      id: "validation-beginning-shift",
      find: "<< 208)",
      replace: "<< 200)",
      meaning: "The beginning is packed in wrong bits.",
    },
    {
      id: "validation-end-shift",
      find: "(uint256(validUntil) << 160)",
      replace: "(uint256(validUntil) << 161)",
      meaning: "Operations are valid until much later than signed.",
    },
    {
      id: "validation-end-one-more",
      find: "(uint256(validUntil) << 160)",
      replace: "((uint256(validUntil) + 1) << 160)",
      meaning: "Operations are valid one second longer than signed.",
    },
  ],
};
