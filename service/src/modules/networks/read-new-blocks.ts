import type { SeenBlock } from "../../db/schema.ts";
import type { Block, EvmNetwork } from "../../ports/evm-network.ts";
import type { NetworkCursor } from "./queries.ts";

/** The most blocks that are read at once. */
const BLOCKS_MAX = 500n;
/** How many blocks more than those that are not final a cursor knows. */
const MARGIN = 10n;

export type NewBlocks =
  | { readonly outcome: "none" }
  /** All blocks from `from` to the last of `recentBlocks`' first. They continue the chain of the cursor. */
  | { readonly outcome: "read"; readonly from: bigint; readonly to: Block; readonly recentBlocks: readonly SeenBlock[] }
  /** The chain has replaced all blocks after this one. Undefined if the cursor knows no block that was not replaced. */
  | { readonly outcome: "replaced"; readonly ancestor: SeenBlock | undefined };

/** Reads which blocks follow those that the cursor has seen. Throws `VendorError` if the network does not answer. */
export async function readNewBlocks(
  chain: EvmNetwork,
  cursor: NetworkCursor,
  confirmations: bigint,
): Promise<NewBlocks> {
  const seen = cursor.blockNumber;
  const [last, next] = await Promise.all([chain.readBlock(seen), chain.readBlock(seen + 1n)]);
  if (last?.hash !== cursor.blockHash) return await findAncestor(chain, cursor);
  if (next === null) return { outcome: "none" };
  const head = (await chain.readBlock("latest")) ?? next;
  const to = head.number < seen + BLOCKS_MAX ? head.number : seen + BLOCKS_MAX;
  const first = to - confirmations - MARGIN > seen ? to - confirmations - MARGIN : seen + 1n;
  const numbers = Array.from({ length: Number(to - first) + 1 }, (_, index) => first + BigInt(index));
  const blocks = await Promise.all(numbers.map((number) => (number === next.number ? next : chain.readBlock(number))));
  const before = first === seen + 1n ? last : null;
  const newest = blocks.at(-1);
  // The chain changed while it was read. The next look finds out how.
  if (!isLinked([before, ...blocks]) || !newest) return { outcome: "none" };
  const known = blocks.flatMap((block) => (block === null ? [] : [seenBlockOf(block)])).reverse();
  const earlier = before === null ? [] : cursor.recentBlocks;
  const recentBlocks = [...known, ...earlier].slice(0, Number(confirmations + MARGIN));
  return { outcome: "read", from: seen + 1n, to: newest, recentBlocks };
}

/** Finds the newest block of the cursor that is still in the chain. */
async function findAncestor(chain: EvmNetwork, cursor: NetworkCursor): Promise<NewBlocks> {
  const head = await chain.readBlock("latest");
  for (const seen of cursor.recentBlocks) {
    const block = await chain.readBlock(BigInt(seen.number));
    if (block?.hash !== seen.hash) continue;
    // A node that has not read the newest blocks yet has replaced none.
    return block.number === head?.number ? { outcome: "none" } : { outcome: "replaced", ancestor: seen };
  }
  return { outcome: "replaced", ancestor: undefined };
}

/** Returns true if each block is the parent of the next one. The first one can be null: then it is not compared. */
function isLinked([first, ...blocks]: readonly (Block | null)[]): boolean {
  let parent = first;
  for (const block of blocks) {
    if (block === null || (parent && block.parentHash !== parent.hash)) return false;
    parent = block;
  }
  return true;
}

function seenBlockOf({ number, hash }: Block): SeenBlock {
  return { number: String(number), hash };
}
