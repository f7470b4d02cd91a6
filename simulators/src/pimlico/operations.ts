import { type Static, Type } from "typebox";
import { Check, Errors } from "typebox/value";
import { type Hex, hexToBigInt, size } from "viem";
import type { UserOperation } from "viem/account-abstraction";

const Address = Type.String({ pattern: "^0x[0-9a-fA-F]{40}$" });
const Bytes = Type.String({ pattern: "^0x([0-9a-fA-F]{2})*$" });
const Nonce = Type.String({ pattern: "^0x[0-9a-fA-F]{1,64}$" });
const Quantity = Type.String({ pattern: "^0x[0-9a-fA-F]{1,32}$" });

/** An operation as ERC-7769 has it on the wire. */
const OperationIn = Type.Object(
  {
    ...{ sender: Address, nonce: Nonce, callData: Bytes, signature: Bytes },
    ...{ callGasLimit: Quantity, verificationGasLimit: Quantity, preVerificationGas: Quantity },
    ...{ maxFeePerGas: Quantity, maxPriorityFeePerGas: Quantity },
    ...{ factory: Type.Optional(Address), factoryData: Type.Optional(Bytes) },
    ...{ paymaster: Type.Optional(Address), paymasterData: Type.Optional(Bytes) },
    paymasterVerificationGasLimit: Type.Optional(Quantity),
    paymasterPostOpGasLimit: Type.Optional(Quantity),
  },
  { additionalProperties: false },
);
type OperationIn = Static<typeof OperationIn>;

/** An error of ERC-7769. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Fields that are sent together or not at all. */
const GROUPS: readonly (readonly (keyof OperationIn)[])[] = [
  ["factory", "factoryData"],
  ["paymaster", "paymasterData", "paymasterVerificationGasLimit", "paymasterPostOpGasLimit"],
];

/** Returns the operation of a call. Throws -32602 if a field is missing or malformed. */
export function parseOperation(value: unknown): UserOperation<"0.8"> {
  if (!Check(OperationIn, value)) {
    const [problem] = Errors(OperationIn, value);
    throw new RpcError(-32602, `invalid user operation: ${problem?.instancePath ?? ""} ${problem?.message ?? ""}`);
  }
  for (const group of GROUPS) {
    const missing = group.filter((field) => value[field] === undefined);
    if (missing.length > 0 && missing.length < group.length) throw new RpcError(-32602, `${missing[0]} is missing`);
  }
  const isQuantity = (field: string) => /Gas|nonce/.test(field);
  const entries = Object.entries(value).map(([field, text]) => [
    field,
    isQuantity(field) ? hexToBigInt(text as Hex) : text,
  ]);
  return Object.fromEntries(entries);
}

const FIXED_GAS = 21_000n + 18_300n;
const BYTE_GAS = 16n;

/** Returns the gas of an operation that is not measured on the chain: what its bytes cost, and a share of the bundle. */
export function preVerificationGasOf(operation: UserOperation<"0.8">): bigint {
  const bytes = [operation.callData, operation.signature, operation.factoryData, operation.paymasterData];
  const count = bytes.reduce((total, data) => total + size(data ?? "0x"), 400);
  return FIXED_GAS + BigInt(count) * BYTE_GAS;
}
