import { describe, expect, it } from "vitest";
import type { TenantId } from "../foundation/ids.ts";
import { itemsInTurns, itemsOf } from "./pages.ts";

async function listOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const NUMBERS = [1, 2, 3, 4, 5];

/** Returns the next two items after `after`. */
const nextTwo = async (after = 0) => NUMBERS.filter((number) => number > after).slice(0, 2);

describe("itemsOf", () => {
  it("yields the items of all pages in order", async () => {
    expect(await listOf(itemsOf(nextTwo))).toEqual(NUMBERS);
  });

  it("yields nothing: the first page is empty", async () => {
    expect(await listOf(itemsOf(async () => []))).toEqual([]);
  });
});

describe("itemsInTurns", () => {
  it("yields each item once, and a later tenant's item after at most 100 of another's", async () => {
    const itemOf = (tenantId: TenantId, turn: number) => ({
      tenantId,
      id: `${tenantId}${turn}`,
      turn,
    });
    let open = Array.from({ length: 450 }, (_, index) => itemOf("dev_a", index + 1));
    const listPage = async (after?: { readonly turn: number }) =>
      open.filter(({ turn }) => turn > (after?.turn ?? 0)).slice(0, 60);
    const taken: string[] = [];

    for await (const { id } of itemsInTurns(listPage, ({ id }) => id)) {
      taken.push(id);
      // Items of the first hundred fail and stay in the list.
      if (taken.length > 100) open = open.filter((item) => item.id !== id);
      if (taken.length === 30) open = [{ tenantId: "dev_b", id: "dev_b1", turn: 1 }, ...open];
    }

    expect(taken.indexOf("dev_b1")).toBeLessThanOrEqual(100);
    expect(new Set(taken).size).toBe(451);
    expect(taken).toHaveLength(451);
  });
});
