import {
  encodeTransfer,
  nonceKeyOf as expectedNonceKeyOf,
  signOperation,
  sponsorOperation,
} from "@purser/contracts/chain/agent-account.ts";
import * as Secp256k1 from "ox/Secp256k1";
import * as Signature from "ox/Signature";
import { entryPoint08Address, getUserOperationHash } from "viem/account-abstraction";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import {
  decodeAccountTransfer,
  encodeAccountTransfer,
  type HexText,
  nonceKeyOf,
  type Operation,
  operationDigest,
  operationHash,
  sponsorshipDigest,
  withOwnerSignature,
  withSponsorship,
} from "./user-operation.ts";

const OPERATIONS = 1_000;
const CHAIN_ID = 8453;
const KEYS = [`0x${"11".repeat(32)}`, `0x${"22".repeat(32)}`] as const;

/** A generator of numbers that gives the same ones in each run. */
function createRandom() {
  let state = 1n;
  return (bits: number) => {
    let value = 0n;
    for (let taken = 0; taken < bits; taken += 32) {
      state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) & ((1n << 64n) - 1n);
      value = (value << 32n) | (state >> 32n);
    }
    return value & ((1n << BigInt(bits)) - 1n);
  };
}

const hexOf = (value: bigint, bytes: number): HexText => `0x${value.toString(16).padStart(2 * bytes, "0")}`;
const signWith = (key: HexText) => (digest: HexText) =>
  Signature.toHex(Secp256k1.sign({ payload: digest, privateKey: key }));

describe("operations of an account", () => {
  it(`have the bytes, the hash and the signatures of the contracts' own code: ${OPERATIONS} random ones`, async () => {
    const random = createRandom();
    const [ownerKey, paymasterKey] = KEYS;
    const [owner, sponsor] = KEYS.map((key) => privateKeyToAccount(key)) as [
      ReturnType<typeof privateKeyToAccount>,
      ReturnType<typeof privateKeyToAccount>,
    ];
    for (let count = 0; count < OPERATIONS; count += 1) {
      const [epochId, lane] = [random(80), Number(random(3))];
      const transfer = {
        epochId,
        token: hexOf(random(160), 20),
        recipient: hexOf(random(160), 20),
        amount: random(1 + Number(random(8))),
      };
      const callData = encodeAccountTransfer(transfer);
      expect(callData).toBe(encodeTransfer(epochId, transfer.token, transfer.recipient, transfer.amount));
      expect(decodeAccountTransfer(callData)).toEqual(transfer);
      expect(nonceKeyOf(epochId, lane)).toBe(expectedNonceKeyOf(epochId, BigInt(lane)));
      const paymaster = hexOf(random(160), 20);
      const validUntil = Number(random(40)) + 1;
      const unsigned: Operation = {
        sender: hexOf(random(160), 20),
        nonce: (nonceKeyOf(epochId, lane) << 64n) | random(64),
        ...(count % 2 === 0 && { factory: hexOf(random(160), 20), factoryData: hexOf(random(256), 32) }),
        ...{ callData, callGasLimit: random(19), verificationGasLimit: random(20), preVerificationGas: random(17) },
        ...{ maxFeePerGas: random(40), maxPriorityFeePerGas: random(30), signature: "0x" },
        ...{ paymaster, paymasterVerificationGasLimit: 100_000n, paymasterPostOpGasLimit: 0n, paymasterData: "0x" },
      };

      const sponsored = withSponsorship(
        unsigned,
        validUntil,
        signWith(paymasterKey)(sponsorshipDigest(unsigned, { paymaster, chainId: CHAIN_ID, validUntil })),
      );
      const digest = operationDigest(sponsored, { chainId: CHAIN_ID, validUntil, epochId });
      const signed = withOwnerSignature(sponsored, validUntil, signWith(ownerKey)(digest));

      const { paymasterData: _, ...plain } = unsigned;
      const expectedSponsored = await sponsorOperation(
        plain as never,
        sponsor,
        { address: paymaster, chainId: CHAIN_ID },
        { validAfter: 0, validUntil },
      );
      const expected = await signOperation(expectedSponsored, owner, { chainId: CHAIN_ID, validUntil, epochId });
      expect(signed).toEqual(expected);
      expect(operationHash(signed, CHAIN_ID)).toBe(
        getUserOperationHash({
          ...{ chainId: CHAIN_ID, entryPointAddress: entryPoint08Address, entryPointVersion: "0.8" },
          userOperation: expected,
        }),
      );
    }
  });

  it.each([
    ["an empty call", "0x"],
    ["another function", "0x12345678"],
    ["bytes after the arguments", `${encodeAccountTransfer({ ...transferOf(), epochId: 1n })}00`],
  ] as const)("are no transfers: %s", (_what, callData) => {
    expect(decodeAccountTransfer(callData)).toBeUndefined();
  });
});

function transferOf() {
  return { epochId: 0n, token: hexOf(1n, 20), recipient: hexOf(2n, 20), amount: 3n };
}
