import { epochNumberOf, keyOfNonce } from "../../crypto/user-operation.ts";
import type { UserOperationOutcome } from "../../foundation/vocabulary.ts";
import type { Block, BlockRange, EvmNetwork, OperationEvent } from "../../ports/evm-network.ts";
import { epochCallOf, nonceCallOf, numberOf } from "./account-state.ts";
import type { SentOperation } from "./queries.ts";

/** How many blocks are searched for events at once. */
const BLOCKS_MAX = 500n;

/** An operation of which a final block shows how it ended. */
export interface EndedOperation {
  readonly operation: SentOperation;
  readonly outcome: UserOperationOutcome;
  /** Null if the operation is in no block. */
  readonly event: OperationEvent | null;
}

/**
 * Returns which of the operations a final block shows as ended. The account's nonce shows whether an operation of this lane was
 * executed, and the event of the EntryPoint shows whether it was this one. What was not executed until the block can never be if
 * the block is later than the operation's last second, or if the account has a later epoch. Null if the nodes differ.
 */
export async function readOutcomes(
  chain: EvmNetwork,
  operations: readonly SentOperation[],
  { number, timeSeconds }: Pick<Block, "number" | "timeSeconds">,
  /** A block from which on the chain was replaced. Null if it was not. */
  replacedFrom: bigint | null,
): Promise<EndedOperation[] | null> {
  const calls = operations.flatMap(({ address, nonce }) => [
    nonceCallOf(address, keyOfNonce(nonce)),
    epochCallOf(address),
  ]);
  const results = await chain.readAgreedCalls(calls, number);
  if (results === null) return null;
  const states = operations.flatMap((operation, index) => {
    const [next, epochId] = results.slice(2 * index);
    const epoch = epochNumberOf(numberOf(epochId));
    return next ? [{ operation, isNonceUsed: numberOf(next) > operation.nonce, epoch }] : [];
  });
  const used = states.filter(({ isNonceUsed }) => isNonceUsed).map(({ operation }) => operation);
  const events = await readEvents(chain, used, number, replacedFrom);
  if (events === null) return null;
  const ended = states.flatMap((state) => {
    const event = events.find((each) => isEventOf(each, state.operation)) ?? null;
    const outcome = outcomeOf(state, event, timeSeconds);
    return outcome === undefined ? [] : [{ operation: state.operation, outcome, event }];
  });
  return await withoutNew(chain, ended, number);
}

/**
 * Leaves out the operations that seem replaced, but whose nonce was not used a block before: a node can show the state of a newer
 * block than it was asked for, whose events were not searched. Null if the nodes differ.
 */
async function withoutNew(
  chain: EvmNetwork,
  ended: readonly EndedOperation[],
  number: bigint,
): Promise<EndedOperation[] | null> {
  const replaced = ended.filter(({ outcome }) => outcome === "replaced").map(({ operation }) => operation);
  const calls = replaced.map(({ address, nonce }) => nonceCallOf(address, keyOfNonce(nonce)));
  const results = calls.length === 0 ? [] : await chain.readAgreedCalls(calls, number - 1n);
  if (results === null) return null;
  const isNew = new Set(replaced.filter(({ nonce }, index) => numberOf(results[index]) <= nonce));
  return ended.filter(({ operation }) => !isNew.has(operation));
}

/** What a final block says about the account of an operation. */
interface AccountAtBlock {
  readonly operation: SentOperation;
  readonly isNonceUsed: boolean;
  readonly epoch: bigint;
}

function outcomeOf(
  { operation, isNonceUsed, epoch }: AccountAtBlock,
  event: OperationEvent | null,
  timeSeconds: number,
): UserOperationOutcome | undefined {
  if (event !== null) return event.success ? "confirmed" : "reverted";
  if (isNonceUsed) return "replaced";
  if (timeSeconds * 1_000 > operation.validUntil.getTime()) return "expired";
  return epoch > operation.chainEpoch ? "frozen" : undefined;
}

function isEventOf(event: OperationEvent, { userOpHash, nonce, address }: SentOperation): boolean {
  return event.userOpHash === userOpHash && event.nonce === nonce && event.sender === address.toLowerCase();
}

/** Searches the blocks that were not final when the operations were signed. Null if the nodes differ. */
async function readEvents(
  chain: EvmNetwork,
  operations: readonly SentOperation[],
  to: bigint,
  replacedFrom: bigint | null,
): Promise<OperationEvent[] | null> {
  if (operations.length === 0) return [];
  const hashes = operations.map(({ userOpHash }) => userOpHash);
  const events: OperationEvent[] = [];
  const starts = operations.map(({ searchedFrom }) => searchedFrom);
  let from = [...starts, ...(replacedFrom === null ? [] : [replacedFrom])].reduce((a, b) => (a < b ? a : b));
  for (; from <= to; from += BLOCKS_MAX) {
    const blocks: BlockRange = { from, to: from + BLOCKS_MAX > to ? to : from + BLOCKS_MAX - 1n };
    const found = await chain.readAgreedOperationEvents(hashes, blocks);
    if (found === null) return null;
    events.push(...found);
  }
  return events;
}
