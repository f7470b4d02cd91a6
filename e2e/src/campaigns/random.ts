import { randomInt } from "node:crypto";

/** Where the random numbers of this process begin. `PURSER_CAMPAIGN_SEED` repeats those of another run. */
export const SEED = Number(process.env["PURSER_CAMPAIGN_SEED"] ?? randomInt(2 ** 31));

let state = SEED;

/** Returns a random whole number from 0 to below `below`. */
export function random(below: number): number {
  // The generator mulberry32.
  state = (state + 0x6d2b79f5) | 0;
  let bits = Math.imul(state ^ (state >>> 15), state | 1);
  bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
  return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32) * below);
}

export function pick<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new Error(`There is no item ${index}.`);
  return item;
}
