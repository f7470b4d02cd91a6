import * as AbiFunction from "ox/AbiFunction";
import { type Static, type TObject, type TSchema, Type } from "typebox";
import { ENTRY_POINT } from "../../crypto/agent-account.ts";
import { isSuccess, USER_OPERATION_EVENT } from "../../crypto/user-operation.ts";
import type {
  Block,
  BlockRange,
  ContractCall,
  ContractLog,
  GasPrice,
  LogFilter,
  OperationEvent,
  TokenTransfer,
} from "../../ports/evm-network.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { callRpc } from "../http-client/json-rpc.ts";
import type { VendorClient } from "../http-client/vendor-client.ts";

/** The same on every network (https://www.multicall3.com). */
const MULTICALL3 = "0xcA11bde05977b3631167028862bE2a173976CA11";
/** The hash of `Transfer(address,address,uint256)`. */
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** The selectors of `aggregate3` and of `balanceOf(address)`. */
const AGGREGATE3 = "0x82ad56cb";
const BALANCE_OF = "70a08231";
const WORD_BYTES = 32;
/** Target, flag, offset, length, and 36 bytes of the call, rounded up to words. */
const CALL_BYTES = 6 * WORD_BYTES;

export const Quantity = Type.String({ pattern: "^0x[0-9a-f]{1,64}$" });
export const HexData = Type.String({ pattern: "^0x[0-9a-f]*$" });
const BlockNumber = Type.String({ pattern: "^0x[0-9a-f]{1,15}$" });
const Hash = Type.String({ pattern: "^0x[0-9a-f]{64}$" });

const BlockOut = Type.Object({ number: BlockNumber, hash: Hash, timestamp: BlockNumber });

/** What is read of each log. */
const LOG = {
  address: Type.String(),
  blockNumber: BlockNumber,
  blockHash: Hash,
  transactionHash: Hash,
  logIndex: Type.String({ pattern: "^0x[0-9a-f]{1,7}$" }),
  removed: Type.Optional(Type.Literal(false)),
};

const TransferLog = Type.Object({
  ...LOG,
  topics: Type.Tuple([Type.Literal(TRANSFER), Hash, Hash]),
  // An amount of less than 10^37.
  data: Type.String({ pattern: "^0x0{34}[0-9a-f]{30}$" }),
});

/** Reads a block by its number. Null if the node does not have it. */
export async function readBlock(client: VendorClient, block: bigint | "latest"): Promise<Block | null> {
  const found = await callRpc(client, {
    ...{ method: "eth_getBlockByNumber", params: [tagOf(block), false] },
    result: Type.Union([Type.Null(), BlockOut]),
  });
  if (found === null) return null;
  const { number, hash, timestamp } = found;
  if (block !== "latest" && BigInt(number) !== block) throw unusable(client, "the block has another number");
  return { number: BigInt(number), hash, timeSeconds: Number(timestamp) };
}

export async function readTokenBalances(
  client: VendorClient,
  token: string,
  owners: readonly string[],
  block: bigint | "latest",
): Promise<(bigint | null)[]> {
  const call = { to: MULTICALL3, data: encodeBalanceCalls(token, owners) };
  const data = await callRpc(client, { method: "eth_call", params: [call, tagOf(block)], result: HexData });
  const balances = decodeBalances(data, owners.length);
  if (balances === undefined) throw unusable(client, "Multicall3 has not returned one result for each call");
  return balances;
}

/** The topics of logs: one value, one of several, or any. */
type Topics = readonly (string | readonly string[] | null)[];

/** Reads logs of a contract, in the order of the chain. Throws if a log is not one that was asked for, or is there twice. */
async function logsOf<Log extends TObject<typeof LOG & { topics: TSchema }>>(
  client: VendorClient,
  { contract, topics, schema }: { readonly contract: string; readonly topics: Topics; readonly schema: Log },
  { from, to }: BlockRange,
): Promise<Static<Log>[]> {
  if (from > to) return [];
  const filter = { fromBlock: tagOf(from), toBlock: tagOf(to), address: contract, topics };
  const logs = await callRpc(client, { method: "eth_getLogs", params: [filter], result: Type.Array(schema) });
  const isAsked = ({ address, topics: found, blockNumber }: Static<Log>) => {
    const number = BigInt(blockNumber);
    if (address.toLowerCase() !== contract.toLowerCase() || number < from || number > to) return false;
    return topics.every((topic, index) => topic === null || [topic].flat().includes((found as string[])[index] ?? ""));
  };
  const isOnce = new Set(logs.map(({ blockHash, logIndex }) => `${blockHash} ${logIndex}`)).size === logs.length;
  if (!isOnce || !logs.every(isAsked)) throw unusable(client, "a log is not one that was asked for");
  const order = (one: Static<Log>, other: Static<Log>) =>
    Number(one.blockNumber) - Number(other.blockNumber) || Number(one.logIndex) - Number(other.logIndex);
  return logs.toSorted(order);
}

/** Reads the transfers of a token to these recipients in a range of blocks, in the order of the chain. */
export async function readTransfers(
  client: VendorClient,
  token: string,
  recipients: readonly string[],
  blocks: BlockRange,
): Promise<TokenTransfer[]> {
  const topics = [TRANSFER, null, recipients.map((recipient) => `0x${wordOf(recipient)}`)];
  return (await logsOf(client, { contract: token, topics, schema: TransferLog }, blocks)).map(transferOf);
}

const LogOfContract = Type.Object({ ...LOG, topics: Type.Array(Hash), data: HexData });

/** Reads the logs that a contract has made with these topics in a range of blocks. */
export async function readLogs(client: VendorClient, filter: LogFilter, blocks: BlockRange): Promise<ContractLog[]> {
  const logs = await logsOf(client, { ...filter, schema: LogOfContract }, blocks);
  return logs.map(({ data, blockNumber, blockHash, transactionHash, logIndex }) => {
    return { data, blockNumber: BigInt(blockNumber), blockHash, transactionHash, logIndex: Number(logIndex) };
  });
}

const OperationLog = Type.Object({
  ...LOG,
  topics: Type.Tuple([Type.Literal(USER_OPERATION_EVENT), Hash, Hash, Hash]),
  // Nonce, success, and what the gas has cost.
  data: Type.String({ pattern: "^0x[0-9a-f]{64}0{63}[01][0-9a-f]{128}$" }),
});

/** Reads the events of the EntryPoint about operations in a range of blocks, in the order of the chain. */
export async function readOperationEvents(
  client: VendorClient,
  userOpHashes: readonly string[],
  blocks: BlockRange,
): Promise<OperationEvent[]> {
  const topics = [USER_OPERATION_EVENT, userOpHashes];
  const logs = await logsOf(client, { contract: ENTRY_POINT, topics, schema: OperationLog }, blocks);
  const events = logs.map(operationEventOf);
  const isOnce = new Set(events.map(({ userOpHash }) => userOpHash)).size === events.length;
  if (!isOnce) throw unusable(client, "an operation was executed twice");
  return events;
}

function operationEventOf(log: Static<typeof OperationLog>): OperationEvent {
  const [, userOpHash, sender] = log.topics;
  return {
    userOpHash,
    sender: `0x${sender.slice(26)}`,
    nonce: BigInt(log.data.slice(0, 66)),
    success: isSuccess(log.data),
    transactionHash: log.transactionHash,
    blockNumber: BigInt(log.blockNumber),
    blockHash: log.blockHash,
  };
}

const AGGREGATE = AbiFunction.from(
  "function aggregate3((address target, bool allowFailure, bytes callData)[] calls) returns ((bool success, bytes returnData)[])",
);

/** Calls contracts with one call of Multicall3. Null for a call that reverts. */
export async function readCalls(
  client: VendorClient,
  calls: readonly ContractCall[],
  block: bigint | "latest",
): Promise<(string | null)[]> {
  const targets = calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }) as never);
  const call = { to: MULTICALL3, data: AbiFunction.encodeData(AGGREGATE, [targets]) };
  const data = await callRpc(client, { method: "eth_call", params: [call, tagOf(block)], result: HexData });
  const results = decodeResults(data);
  if (results?.length !== calls.length) {
    throw unusable(client, "Multicall3 has not returned one result for each call");
  }
  return results;
}

function decodeResults(data: string): (string | null)[] | undefined {
  try {
    const results = AbiFunction.decodeResult(AGGREGATE, data as `0x${string}`);
    return results.map(({ success, returnData }) => (success ? returnData : null));
  } catch {
    return undefined;
  }
}

/** How many of the newest blocks are looked at. */
const BLOCKS = "0x5";
/** Half of the transactions of a block pay no more than this part of the fee. */
const PERCENTILES = [50];

const FeeHistory = Type.Object({
  baseFeePerGas: Type.Array(Quantity, { minItems: 1 }),
  reward: Type.Optional(Type.Array(Type.Array(Quantity))),
});

/** Reads the price of gas: twice the base fee of the next block, and what half of the newest transactions pay on top. */
export async function readGasPrice(client: VendorClient): Promise<GasPrice> {
  const history = await callRpc(client, {
    ...{ method: "eth_feeHistory", params: [BLOCKS, "latest", PERCENTILES], result: FeeHistory },
  });
  const maxPriorityFeePerGas = (history.reward ?? []).flat().map(BigInt).reduce(higherOf, 0n);
  const baseFee = BigInt(history.baseFeePerGas.at(-1) ?? 0);
  return { maxPriorityFeePerGas, maxFeePerGas: 2n * baseFee + maxPriorityFeePerGas };
}

function higherOf(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function transferOf(log: Static<typeof TransferLog>): TokenTransfer {
  const [, from, to] = log.topics;
  return {
    blockNumber: BigInt(log.blockNumber),
    blockHash: log.blockHash,
    transactionHash: log.transactionHash,
    logIndex: Number(log.logIndex),
    from: `0x${from.slice(26)}`,
    to: `0x${to.slice(26)}`,
    amount: BigInt(log.data),
  };
}

/**
 * Encodes `aggregate3((address target, bool allowFailure, bytes callData)[])` with a call of `balanceOf` for each owner. All
 * calls have the same length, so this takes a tenth of the time of a general encoder.
 */
function encodeBalanceCalls(token: string, owners: readonly string[]): string {
  const offsets = owners.map((_, index) => wordOf(owners.length * WORD_BYTES + index * CALL_BYTES));
  const calls = owners.map(
    (owner) =>
      `${wordOf(token)}${wordOf(1)}${wordOf(0x60)}${wordOf(0x24)}${BALANCE_OF}${wordOf(owner)}${"0".repeat(56)}`,
  );
  return `${AGGREGATE3}${wordOf(0x20)}${wordOf(owners.length)}${offsets.join("")}${calls.join("")}`;
}

/**
 * Decodes `(bool success, bytes returnData)[]` to balances, null for a call that failed or returned no balance. Undefined if
 * the data is no such array of this length.
 */
function decodeBalances(data: string, count: number): (bigint | null)[] | undefined {
  const wordAt = (index: number) => data.slice(2 + index * 64, 2 + (index + 1) * 64);
  const numberAt = (index: number) => Number(`0x${wordAt(index)}`);
  if (numberAt(0) !== WORD_BYTES || numberAt(1) !== count) return undefined;
  const starts = Array.from({ length: count }, (_, index) => 2 + numberAt(2 + index) / WORD_BYTES);
  if (!starts.every((start) => Number.isInteger(start) && wordAt(start + 2).length === 64)) return undefined;
  return starts.map((start) => {
    const isBalance = numberAt(start) === 1 && numberAt(start + 2) === WORD_BYTES && wordAt(start + 3).length === 64;
    return isBalance ? BigInt(`0x${wordAt(start + 3)}`) : null;
  });
}

/** Returns a number or an address as 32 bytes. */
function wordOf(value: number | string): string {
  const hex = typeof value === "number" ? value.toString(16) : value.slice(2).toLowerCase();
  return hex.padStart(64, "0");
}

export function tagOf(block: bigint | "latest"): string {
  return block === "latest" ? block : `0x${block.toString(16)}`;
}

function unusable({ vendor }: VendorClient, vendorMessage: string): VendorError {
  return new VendorError("unknown", { vendor, operation: "read", vendorMessage });
}
