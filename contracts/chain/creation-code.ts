import { type AbiParameter, bytesToHex, concat, encodeAbiParameters, type Hex, hexToBytes } from "viem";

/** What the compiler returns for one contract. */
export interface CreationCode {
  /** The code that a creation runs, without the constructor's arguments. */
  readonly code: Hex;
  readonly constructorInputs: readonly AbiParameter[];
  /** The position in `code` of the code that the creation leaves on the chain, in bytes. */
  readonly runtime: BytesRange;
  /** The positions, in the runtime code, of the values that the constructor sets. They are zero in `code`. */
  readonly immutables: readonly BytesRange[];
}

export interface BytesRange {
  readonly start: number;
  readonly length: number;
}

/** Returns the creation code with its constructor's arguments. */
export function initCode(creation: CreationCode, constructorArguments: readonly unknown[]): Hex {
  return concat([creation.code, encodeAbiParameters(creation.constructorInputs, constructorArguments)]);
}

/** Compares code on a chain with the code that this creation leaves there, except for the immutable values. */
export function isRuntimeOf(creation: CreationCode, onChain: Hex): boolean {
  const bytes = hexToBytes(onChain);
  for (const { start, length } of creation.immutables) bytes.fill(0, start, start + length);
  const { start, length } = creation.runtime;
  const expected = hexToBytes(creation.code).subarray(start, start + length);
  return bytesToHex(bytes) === bytesToHex(expected);
}
