import { type Address, concat, getCreate2Address, type Hex, parseEther, toFunctionSelector, zeroHash } from "viem";
import { entryPoint08Abi, entryPoint08Address } from "viem/account-abstraction";
import { foundry } from "viem/chains";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Operation } from "../chain/agent-account.ts";
import { startLocalChain } from "../chain/local-chain.ts";
import { violationsIn } from "./rules.ts";
import { traceOperation } from "./trace-operation.ts";

/*
 * Contracts that break a rule on purpose. Each is a piece of bytecode, followed by what its entity must return. Written
 * as bytecode, a contract executes the instruction in question and no other.
 */

const ACCOUNT: Address = "0x0000000000000000000000000000000000aacc00";
const PAYMASTER: Address = "0x0000000000000000000000000000000000baee00";
const FACTORY: Address = "0x0000000000000000000000000000000000facc00";
const OTHER: Address = "0x00000000000000000000000000000000000ddd00";

/** Returns 32 zero bytes, which `validateUserOp` returns for a valid signature. */
const ACCEPT: Hex = "0x5f5f5260205ff3";
/** Returns an empty context and zero, as `validatePaymasterUserOp` does for a valid signature. */
const ACCEPT_PAYMENT: Hex = "0x60405f525f6020525f60405260605ff3";
/** Creates a contract with the code `ACCEPT`, by CREATE2 with the salt zero. */
const ACCOUNT_CREATION: Hex = concat(["0x66", ACCEPT, "0x5f5260076019f3"]);
/** Creates the account and returns its address. */
const CREATE_ACCOUNT: Hex = concat(["0x6e", ACCOUNT_CREATION, "0x5f525f600f60115ff55f5260205ff3"]);

const NEW_ACCOUNT = getCreate2Address({
  from: FACTORY,
  salt: zeroHash,
  bytecode: ACCOUNT_CREATION,
});

/** Reads a slot of its own: `sload(0)`. */
const READ_STORAGE: Hex = "0x5f5450";
/** Reads `keccak256(caller || 0) + n`, as a token reads a balance of its caller. */
const readOfCaller = (n: Hex): Hex => concat(["0x335f5260405f2060", n, "0x015450"]);

/** Calls an address with all gas, without input. */
const callTo = (target: Hex): Hex => concat(["0x5f5f5f5f5f73", target, "0x5af150"]);
/** Calls an address with all gas and the value 1 wei, without input. */
const payTo = (target: Hex): Hex => concat(["0x5f5f5f5f600173", target, "0x5af150"]);
/** Calls an address with 1,000 gas, so that the caller survives a failure. */
const tryCallTo = (target: Hex): Hex => concat(["0x5f5f5f5f5f73", target, "0x6103e8f150"]);
/** Calls an address with the input `selector || address(this)`. */
const callWithSelf = (target: Hex, selector: Hex): Hex =>
  concat(["0x63", selector, "0x60e01b5f52306004525f5f60245f5f73", target, "0x5af150"]);

let chain: Awaited<ReturnType<typeof startLocalChain>>;

beforeAll(async () => {
  chain = await startLocalChain();
  for (const payer of [ACCOUNT, NEW_ACCOUNT, PAYMASTER]) await deposit(payer);
});

afterAll(async () => await chain.stop());

beforeEach(async () => await chain.snapshot());

describe("an account", () => {
  test.each<[what: string, violation: string, code: Hex, other?: Hex]>([
    ["reads the time of the block", "OP-011 TIMESTAMP", "0x4250"],
    ["reads the origin", "OP-011 ORIGIN", "0x3250"],
    ["reads the gas price", "OP-011 GASPRICE", "0x3a50"],
    ["reads the hash of a block", "OP-011 BLOCKHASH", "0x5f4050"],
    ["reads the coinbase", "OP-011 COINBASE", "0x4150"],
    ["reads the number of the block", "OP-011 NUMBER", "0x4350"],
    ["reads the block's randomness", "OP-011 DIFFICULTY", "0x4450"],
    ["reads the gas limit of the block", "OP-011 GASLIMIT", "0x4550"],
    ["reads the base fee", "OP-011 BASEFEE", "0x4850"],
    ["creates a contract", "OP-011 CREATE", "0x5f5f5ff050"],
    ["executes INVALID", "OP-011 INVALID", tryCallTo(OTHER), "0xfe"],
    ["destroys a contract", "OP-011 SELFDESTRUCT", callTo(OTHER), "0x5fff"],
    ["measures its gas", "OP-012 GAS", "0x5a50"],
    ["executes an unassigned opcode", "OP-013 unassigned opcode", tryCallTo(OTHER), "0x0c"],
    ["runs out of gas", "OP-020 out of gas", tryCallTo(OTHER), "0x5b5f56"],
    ["creates a contract by CREATE2", "OP-031 CREATE2", "0x5f5f5f5ff550"],
    ["looks at an address without code", "OP-041 EXTCODESIZE without code", concat(["0x73", OTHER, "0x3b50"])],
    ["calls an address without code", "OP-041 CALL without code", callTo(OTHER)],
    [
      "calls a function of the EntryPoint",
      "OP-054 CALL of the EntryPoint",
      callWithSelf(entryPoint08Address, toFunctionSelector("balanceOf(address)")),
    ],
    ["pays another contract", "OP-061 CALL with value", payTo(OTHER), ACCEPT],
    [
      "calls a precompile that is not known",
      "OP-062 CALL 0x0000000000000000000000000000000000000020",
      callTo("0x0000000000000000000000000000000000000020"),
    ],
    ["reads its balance", "OP-080 SELFBALANCE", "0x4750"],
    ["reads a balance", "OP-080 BALANCE", "0x303150"],
    ["reads another contract's storage", "STO-021 read in another contract", callTo(OTHER), READ_STORAGE],
    ["writes another contract's storage", "STO-021 write in another contract", callTo(OTHER), "0x5f5f55"],
    ["reads another contract's transient storage", "STO-021 read in another contract", callTo(OTHER), "0x5f5c50"],
    [
      "reads too far from its own slot in another contract",
      "STO-021 read in another contract",
      callTo(OTHER),
      readOfCaller("0x81"),
    ],
  ])("that %s breaks a rule: %s", async (_what, violation, code, other = "0x") => {
    await setCode(ACCOUNT, concat([code, ACCEPT]));
    await setCode(OTHER, other);
    expect(await violationsOf({ sender: ACCOUNT })).toEqual({ account: [violation] });
  });

  test.each<[what: string, code: Hex, other?: Hex]>([
    ["uses its own storage", concat([READ_STORAGE, "0x60015f55"])],
    ["reads what another contract stores for it", callTo(OTHER), readOfCaller("0x80")],
    ["calls a known precompile", callTo("0x0000000000000000000000000000000000000001")],
    ["verifies a P-256 signature", callTo("0x0000000000000000000000000000000000000100")],
    ["deposits at the EntryPoint", payTo(entryPoint08Address)],
    ["deposits by name", callWithSelf(entryPoint08Address, toFunctionSelector("depositTo(address)"))],
    ["checks that the EntryPoint exists", concat(["0x73", entryPoint08Address, "0x3b1550"])],
  ])("that %s breaks no rule", async (_what, code, other = "0x") => {
    await setCode(ACCOUNT, concat([code, ACCEPT]));
    await setCode(OTHER, other);
    expect(await violationsOf({ sender: ACCOUNT })).toEqual({ account: [] });
  });
});

describe("a paymaster", () => {
  test.each<[what: string, unstaked: string[], staked: string[], code: Hex, other?: Hex]>([
    ["reads its own storage", ["STO-031 read without stake"], [], READ_STORAGE],
    ["reads the account's storage", [], [], callTo(ACCOUNT)],
    ["reads its balance", ["OP-080 SELFBALANCE"], [], "0x4750"],
    [
      "reads what another contract stores for it",
      ["STO-021 read in another contract"],
      [],
      callTo(OTHER),
      readOfCaller("0x00"),
    ],
    [
      "writes what another contract stores for it",
      ["STO-021 write in another contract"],
      [],
      callTo(OTHER),
      "0x335f52600160405f2055",
    ],
    [
      "writes another contract's storage",
      ["STO-021 write in another contract"],
      ["STO-033 write in another contract"],
      callTo(OTHER),
      "0x60015f55",
    ],
    [
      "deposits at the EntryPoint",
      ["OP-054 CALL of the EntryPoint"],
      ["OP-054 CALL of the EntryPoint"],
      payTo(entryPoint08Address),
    ],
    ["reads the time of the block", ["OP-011 TIMESTAMP"], ["OP-011 TIMESTAMP"], "0x4250"],
  ])("that %s breaks %j, and %j with a stake", async (_what, unstaked, staked, code, other = "0x") => {
    await setCode(ACCOUNT, concat([READ_STORAGE, ACCEPT]));
    await setCode(PAYMASTER, concat([code, ACCEPT_PAYMENT]));
    await setCode(OTHER, other);
    const operation = { sender: ACCOUNT, paymaster: PAYMASTER };
    expect(await violationsOf(operation)).toEqual({ account: [], paymaster: unstaked });
    await stake(PAYMASTER);
    expect(await violationsOf(operation)).toEqual({ account: [], paymaster: staked });
  });
});

describe("a factory", () => {
  test.each<[what: string, unstaked: string[], staked: string[], code: Hex, other?: Hex]>([
    ["creates the account", [], [], "0x"],
    ["looks at the account first", [], [], concat(["0x73", NEW_ACCOUNT, "0x3b50"])],
    ["creates a second contract", ["OP-031 CREATE2"], ["OP-031 CREATE2"], "0x60015f5f5ff550"],
    ["counts its accounts", ["STO-031 write without stake"], [], "0x60015f55"],
    [
      "reads what another contract stores for the account",
      ["STO-022 read before the deployment"],
      [],
      callTo(OTHER),
      concat(["0x73", NEW_ACCOUNT, "0x5f5260405f205450"]),
    ],
  ])("that %s breaks %j, and %j with a stake", async (_what, unstaked, staked, code, other = "0x") => {
    await setCode(FACTORY, concat([code, CREATE_ACCOUNT]));
    await setCode(OTHER, other);
    const operation = { sender: NEW_ACCOUNT, factory: FACTORY, factoryData: "0x" } as const;
    expect(await violationsOf(operation)).toEqual({ account: [], factory: unstaked });
    await stake(FACTORY);
    expect(await violationsOf(operation)).toEqual({ account: [], factory: staked });
  });
});

test("an operation that the EntryPoint refuses is not judged", async () => {
  await setCode(ACCOUNT, "0x5f5ffd");
  await expect(violationsOf({ sender: ACCOUNT })).rejects.toThrow("refused the operation");
});

async function setCode(address: Address, bytecode: Hex): Promise<void> {
  await chain.testClient.setCode({ address, bytecode });
  await chain.testClient.setBalance({ address, value: parseEther("1") });
}

async function deposit(payer: Address): Promise<void> {
  const hash = await chain.walletClient.writeContract({
    ...{ address: entryPoint08Address, abi: entryPoint08Abi, chain: foundry },
    functionName: "depositTo",
    args: [payer],
    value: parseEther("1"),
  });
  await chain.publicClient.waitForTransactionReceipt({ hash });
}

/** Makes the contract lock the native coin at the EntryPoint for a day. */
async function stake(address: Address): Promise<void> {
  await chain.testClient.impersonateAccount({ address });
  const hash = await chain.walletClient.writeContract({
    ...{ address: entryPoint08Address, abi: entryPoint08Abi, chain: foundry },
    account: address,
    functionName: "addStake",
    args: [86_400],
    value: 1n,
  });
  await chain.publicClient.waitForTransactionReceipt({ hash });
}

/** Returns the violations of each entity of an operation. */
async function violationsOf(parts: Pick<Operation, "sender"> & Partial<Operation>) {
  const { phases, participants } = await traceOperation(chain.publicClient, {
    nonce: 0n,
    callData: "0x",
    callGasLimit: 0n,
    verificationGasLimit: 300_000n,
    preVerificationGas: 50_000n,
    maxFeePerGas: 1n,
    maxPriorityFeePerGas: 1n,
    paymasterVerificationGasLimit: 100_000n,
    signature: "0x",
    ...parts,
  });
  return Object.fromEntries(phases.map((phase) => [phase.entity, violationsIn(phase, participants)]));
}
