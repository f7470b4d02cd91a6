/** The EIP-712 type that the signer of an account signs. As in `contracts/src/AgentAccount.sol`. */
export const OPERATION_TYPES = {
  Operation: [
    { name: "userOpHash", type: "bytes32" },
    { name: "validUntil", type: "uint48" },
    { name: "epochId", type: "uint80" },
    { name: "session", type: "uint32" },
  ],
} as const;

/** The EIP-712 type that the signer of the paymaster signs. As in OpenZeppelin's PaymasterSigner. */
export const SPONSORSHIP_TYPES = {
  UserOperationRequest: [
    { name: "sender", type: "address" },
    { name: "nonce", type: "uint256" },
    { name: "initCode", type: "bytes" },
    { name: "callData", type: "bytes" },
    { name: "accountGasLimits", type: "bytes32" },
    { name: "preVerificationGas", type: "uint256" },
    { name: "gasFees", type: "bytes32" },
    { name: "paymasterVerificationGasLimit", type: "uint256" },
    { name: "paymasterPostOpGasLimit", type: "uint256" },
    { name: "validAfter", type: "uint48" },
    { name: "validUntil", type: "uint48" },
  ],
} as const;
