import { setTimeout } from "node:timers/promises";
import { auditAnchorAbi } from "@purser/contracts/abi/audit-anchor.ts";
import * as AbiEvent from "ox/AbiEvent";
import * as AbiFunction from "ox/AbiFunction";
import { addressOfKey, higherPrice, signTransaction } from "../../crypto/guardian-transaction.ts";
import { sha256Hex } from "../../crypto/signing.ts";
import type { HexText } from "../../crypto/user-operation.ts";
import { evmChainIdOf, mainnetOf, networkFactsOf } from "../../foundation/blockchain-networks.ts";
import { canonicalJson } from "../../foundation/canonical-json.ts";
import type { Clock } from "../../foundation/clock.ts";
import { invariant } from "../../foundation/invariant.ts";
import type { AuditAnchor, SignedCheckpoint } from "../../ports/audit-anchor.ts";
import type { EvmNetwork, GasPrice } from "../../ports/evm-network.ts";
import { parseCheckpoint } from "./anchored-checkpoint.ts";

const PUBLISH = AbiFunction.fromAbi(auditAnchorAbi, "publish");
const NEWEST = AbiFunction.fromAbi(auditAnchorAbi, "newest");
const PUBLISHED = AbiEvent.fromAbi(auditAnchorAbi, "CheckpointPublished");

/** `MAX_CHECKPOINTS` of the contract. */
const CHECKPOINTS_MAX = 50;
const PAUSE_MS = { first: 500, max: 8_000 };
/** After so many looks that have failed, one after another, what is to be published is rejected. */
const FAILED_LOOKS_MAX = 3;
/** A transaction that is in no block is replaced after this time, for a higher fee. */
const REPLACE_AFTER_MS = 30_000;
/** A transaction that replaces another one pays at most so many times the present fee. */
const FEE_LIMIT_FACTOR = 10n;

/** The time between two blocks of Ethereum, and the longest of the other networks. */
const ETHEREUM_BLOCK_MS = 12_000;
const OTHER_BLOCK_MS = 2_000;

const NODES_DIFFER = "The nodes of the network differ about a final block.";

export interface EvmAuditAnchorOptions {
  readonly chain: EvmNetwork;
  /** The address of the contract `AuditAnchor`. */
  readonly contract: string;
  /** The private key of the publisher, which pays for the transactions. */
  readonly key: HexText;
  /** How many blocks, its own included, make a block final. */
  readonly confirmations: number;
  readonly clock: Clock;
  /** Checkpoints are collected for the first pause before a look at the chain. The pauses between the next looks double. */
  readonly pauseMs?: typeof PAUSE_MS;
  /** Called if the nodes refuse a transaction. */
  readonly onRefused: (refusal: string) => void;
}

/**
 * An audit anchor in the contract `AuditAnchor` (`contracts/src/AuditAnchor.sol`) on an EVM network. Only what all nodes report
 * about this contract and this publisher is believed. All that must last is on the chain: after a crash, a checkpoint is published
 * again, and the contract skips what it has. Several processes can share the key: they replace or wait for each other's transactions.
 */
export function createEvmAuditAnchor(options: EvmAuditAnchorOptions): AuditAnchor {
  const { chain, confirmations, pauseMs = PAUSE_MS } = options;
  const contract = openContract(options);
  const send = createSender(options, contract.publisher);
  // Checkpoints are published a little later than they can be read. Otherwise one would seem lost to a process whose nodes are some
  // blocks behind.
  const publishedBlocks = confirmations + Math.floor(confirmations / 4);
  const pending = new Set<Publication>();
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    let failures = 0;
    for (let waitMs = pauseMs.first; pending.size > 0; waitMs = Math.min(2 * waitMs, pauseMs.max)) {
      await setTimeout(waitMs, undefined, { ref: false });
      const publications = [...pending];
      const error = await advance(publications).catch((thrown: unknown) => thrown);
      failures = error === undefined ? 0 : failures + 1;
      if (failures >= FAILED_LOOKS_MAX) reject(publications, error);
    }
    isRunning = false;
  }

  function reject(publications: readonly Publication[], error: unknown): void {
    for (const each of publications) if (pending.delete(each)) each.reject(error);
  }

  /** Ends the publications that are permanent, and sends those that are in no block. */
  async function advance(publications: readonly Publication[]): Promise<void> {
    const { lowest: head } = await chain.readHeads();
    const permanent = await contract.readNewest(publications.map(checkpointOf), blockBelow(head, publishedBlocks));
    if (permanent === null) throw new Error(NODES_DIFFER);
    for (const [index, each] of publications.entries()) {
      const newest = permanent[index];
      if (newest === undefined || newest.sequence < each.checkpoint.sequence) continue;
      pending.delete(each);
      const reference = contract.readReference(each.checkpoint, newest);
      each.resolve(reference);
      // One after another, because a block can contain many.
      await reference.catch(() => {});
    }
    const missing = await listMissing(publications.filter((each) => pending.has(each)).map(checkpointOf), head);
    if (missing.length > 0) await send(missing.slice(0, CHECKPOINTS_MAX));
  }

  /** Returns the checkpoints that are in no block. None if the nodes differ, as they can for a while near the newest block. */
  async function listMissing(checkpoints: readonly SignedCheckpoint[], head: bigint): Promise<SignedCheckpoint[]> {
    if (checkpoints.length === 0) return [];
    const included = await contract.readNewest(checkpoints, head);
    return checkpoints.filter(({ sequence }, index) => (included?.[index]?.sequence ?? sequence) < sequence);
  }

  return {
    type: "signed_checkpoint",
    delayMs: publishedBlocks * (mainnetOf(chain.network) === "ethereum" ? ETHEREUM_BLOCK_MS : OTHER_BLOCK_MS),
    payer: { network: chain.network, address: contract.publisher },
    publish: (checkpoint) =>
      new Promise((resolve, reject) => {
        pending.add({ checkpoint, resolve, reject });
        if (!isRunning) void run();
      }),
    latest: async (tenantId, name) => {
      const stream = { tenantId, chain: name };
      const { lowest, highest } = await chain.readHeads();
      // One node alone must not take the anchor back to a time before the newest checkpoint.
      if (highest - lowest > publishedBlocks - confirmations) throw new Error(NODES_DIFFER);
      const newest = (await contract.readNewest([stream], blockBelow(lowest, confirmations)))?.[0];
      if (newest === undefined) throw new Error(NODES_DIFFER);
      return newest.sequence === 0 ? undefined : await contract.readCheckpoint(stream, newest);
    },
  };
}

/** A checkpoint that is on its way to a final block. */
interface Publication {
  readonly checkpoint: SignedCheckpoint;
  readonly resolve: (reference: Promise<string>) => void;
  readonly reject: (error: unknown) => void;
}

function checkpointOf({ checkpoint }: Publication): SignedCheckpoint {
  return checkpoint;
}

/** Returns the number of the newest block that has so many blocks, its own included, up to the newest of all. */
function blockBelow(head: bigint, blocks: number): bigint {
  return head < blocks ? 0n : head - BigInt(blocks) + 1n;
}

type Stream = Pick<SignedCheckpoint, "tenantId" | "chain">;

/** Where a stream's newest checkpoint is. The sequence is 0 if it has none. */
interface Newest {
  readonly sequence: number;
  readonly blockNumber: bigint;
}

function openContract({ chain, contract, key }: EvmAuditAnchorOptions) {
  const publisher = addressOfKey(key);
  invariant(publisher !== undefined, "the configuration contains a private key");

  /** Returns where the newest checkpoints of streams are at a block, or null if the nodes differ. */
  async function readNewest(streams: readonly Stream[], block: bigint): Promise<Newest[] | null> {
    const calls = streams.map((stream) => ({
      to: contract,
      data: AbiFunction.encodeData(NEWEST, [publisher as HexText, streamOf(stream)]),
    }));
    const results = await chain.readAgreedCalls(calls, block);
    if (results === null) return null;
    return results.map((data) => {
      if (data === null || data === "0x") throw new Error(`${contract} is no AuditAnchor at the block ${block}.`);
      const [sequence, blockNumber] = AbiFunction.decodeResult(NEWEST, data as HexText);
      return { sequence: Number(sequence), blockNumber };
    });
  }

  /** Returns the checkpoint of a stream that the logs of a block contain. Throws if they do not. */
  async function readCheckpoint(stream: Stream, { sequence, blockNumber }: Newest) {
    const indexed = { publisher: publisher as HexText, stream: streamOf(stream), sequence: BigInt(sequence) };
    const topics = AbiEvent.encode(PUBLISHED, indexed).topics as [HexText, ...HexText[]];
    const logs = await chain.readAgreedLogs({ contract, topics }, { from: blockNumber, to: blockNumber });
    if (logs === null) throw new Error(NODES_DIFFER);
    const [log] = logs;
    if (log === undefined) throw new Error(`The block ${blockNumber} has no checkpoint ${sequence} of the chain.`);
    const checkpoint = parseCheckpoint(AbiEvent.decode(PUBLISHED, { topics, data: log.data as HexText }).json);
    const reference = `${networkFactsOf(chain.network).chainId}/${log.transactionHash}/${log.logIndex}`;
    if (checkpoint === undefined || streamOf(checkpoint) !== indexed.stream || checkpoint.sequence !== sequence) {
      throw new Error(`${reference} is no checkpoint of its stream.`);
    }
    return { checkpoint, reference };
  }

  /** Returns the location of a checkpoint. Throws if a newer one or another one was published instead. */
  async function readReference(checkpoint: SignedCheckpoint, { blockNumber }: Newest): Promise<string> {
    const { sequence, checkpointHash } = checkpoint;
    const found = await readCheckpoint(checkpoint, { sequence, blockNumber });
    if (found.checkpoint.checkpointHash === checkpointHash) return found.reference;
    throw new Error(`${found.reference} is another checkpoint of the same sequence.`);
  }

  return { publisher, readNewest, readCheckpoint, readReference };
}

/** Returns the stream of the contract: the SHA-256 of the tenant's id, a space, and the chain's name. */
function streamOf({ tenantId, chain }: Stream): HexText {
  return `0x${sha256Hex(`${tenantId} ${chain}`)}`;
}

/** The newest transaction. */
interface Sent {
  readonly nonce: bigint;
  readonly price: GasPrice;
  readonly sentAtMs: number;
  /** The hash of its first checkpoint. */
  readonly first: string | undefined;
  readonly hash: string;
}

/** Returns a function that sends checkpoints in one transaction. It waits for the former one, or replaces it after a while. */
function createSender({ chain, contract, key, clock, onRefused }: EvmAuditAnchorOptions, publisher: string) {
  const chainId = evmChainIdOf(chain.network);
  let last: Sent | undefined;

  async function readPrice(replaced: GasPrice | undefined): Promise<GasPrice> {
    const present = await chain.readGasPrice();
    return replaced ? higherPrice(replaced, present, FEE_LIMIT_FACTOR * present.maxFeePerGas) : present;
  }

  /** Whether the newest transaction is in no block yet, or was executed a moment ago and has published nothing. */
  async function mustWait({ nonce, first, sentAtMs }: Omit<Sent, "price" | "hash">): Promise<boolean> {
    if (last === undefined || (last.nonce !== nonce && last.first !== first)) return false;
    if (last.nonce !== nonce) {
      const [receipt] = await chain.readReceipts([last.hash]);
      // Another process has replaced it.
      if (!receipt) return false;
      onRefused("a transaction was executed and has published nothing");
    }
    return sentAtMs - last.sentAtMs < REPLACE_AFTER_MS;
  }

  return async (checkpoints: readonly SignedCheckpoint[]): Promise<void> => {
    const nonce = await chain.readTransactionCount(publisher, "latest");
    const sentAtMs = clock.now().getTime();
    const first = checkpoints[0]?.checkpointHash;
    const former = last?.nonce === nonce ? last : undefined;
    if (await mustWait({ nonce, first, sentAtMs })) return;
    const data = encodePublish(checkpoints);
    const gas = await chain.estimateGas({ from: publisher, to: contract, data });
    if (gas === null) throw new Error(`${contract} refuses the checkpoints.`);
    const price = await readPrice(former?.price);
    const call = { chainId, nonce, to: contract, data, gasLimit: (gas * 3n) / 2n, ...price };
    const { signed, hash } = signTransaction(call, key);
    last = { nonce, price, sentAtMs, first, hash };
    const refusal = await chain.sendTransaction(signed);
    if (refusal !== undefined) onRefused(refusal);
  };
}

function encodePublish(checkpoints: readonly SignedCheckpoint[]): HexText {
  // The contract skips a checkpoint that comes after a newer one of its stream.
  const sorted = checkpoints.toSorted((a, b) => a.sequence - b.sequence);
  const list = sorted.map((checkpoint) => ({
    stream: streamOf(checkpoint),
    sequence: BigInt(checkpoint.sequence),
    json: canonicalJson({ ...checkpoint }),
  }));
  return AbiFunction.encodeData(PUBLISH, [list]);
}
