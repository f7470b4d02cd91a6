import { agentGuardianAbi } from "@purser/contracts/abi/agent-guardian.ts";
import { encodeFunctionData, keccak256, parseTransaction, recoverTransactionAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import {
  addressOfKey,
  decodeTransaction,
  encodeDeployAndFreeze,
  encodeFreeze,
  encodeUnfreeze,
  signTransaction,
} from "./guardian-transaction.ts";

const KEY = `0x${"11".repeat(32)}` as const;
const ADDRESS = `0x${"ab".repeat(20)}` as const;
const FACTORY = `0x${"cd".repeat(20)}` as const;
const SALT = 2n ** 48n - 1n;
const ZERO = `0x${"0".repeat(40)}` as const;
const abi = agentGuardianAbi;

describe("transactions of the guardian's keys", () => {
  it("call the guardian as viem encodes it", () => {
    const salt = Number(SALT);
    const account = { address: ADDRESS, factory: FACTORY, owner: ADDRESS, recoveryAddress: null };
    expect(encodeFreeze(account, SALT)).toBe(
      encodeFunctionData({ abi, functionName: "freeze", args: [ADDRESS, salt] }),
    );
    const args = [FACTORY, ADDRESS, ZERO, `0x${"0".repeat(64)}`, salt] as const;
    expect(encodeDeployAndFreeze(account, SALT)).toBe(
      encodeFunctionData({ abi, functionName: "deployAndFreeze", args }),
    );
    expect(encodeUnfreeze(account, 7n, SALT)).toBe(
      encodeFunctionData({ abi, functionName: "unfreeze", args: [ADDRESS, 7n, salt] }),
    );
  });

  it.each([0n, 1n, 300n])("are signed as viem reads them, with the nonce %d", async (nonce) => {
    const transaction = {
      ...{ chainId: 8453, nonce, to: ADDRESS, data: "0x1234" as const, gasLimit: 60_000n },
      ...{ maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n },
    };

    const { signed, hash } = signTransaction(transaction, KEY);

    const { gasLimit: gas, nonce: _nonce, ...rest } = transaction;
    expect(parseTransaction(signed)).toMatchObject({ ...rest, gas });
    expect(hash).toBe(keccak256(signed));
    const account = privateKeyToAccount(KEY);
    expect(await recoverTransactionAddress({ serializedTransaction: signed as never })).toBe(account.address);
    expect(addressOfKey(KEY)).toBe(account.address);
    expect(decodeTransaction(signed)).toEqual(transaction);
  });

  it.each(["", "0x12", `0x${"0".repeat(64)}`, "11".repeat(32)])("%j is no key", (text) => {
    expect(addressOfKey(text)).toBeUndefined();
  });
});
