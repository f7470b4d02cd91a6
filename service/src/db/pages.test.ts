import { describe, expect, it } from "vitest";
import { itemsByTenant, itemsOf } from "./pages.ts";

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

describe("itemsByTenant", () => {
  it("yields each tenant's items once per page", async () => {
    const row = (number: number) => ({ tenantId: `dev_${number % 2}` as const, number });
    const listPage = async (after?: { readonly number: number }) =>
      NUMBERS.map(row)
        .filter(({ number }) => number > (after?.number ?? 0))
        .slice(0, 3);

    expect(await listOf(itemsByTenant(listPage))).toEqual([
      ["dev_1", [row(1), row(3)]],
      ["dev_0", [row(2)]],
      ["dev_0", [row(4)]],
      ["dev_1", [row(5)]],
    ]);
  });
});
