import { describe, expect, it } from "vitest";
import { tryEach } from "./try-each.ts";

describe("tryEach", () => {
  it("resolves: no item fails", async () => {
    const done: number[] = [];

    await expect(
      tryEach([1, 2], async (item) => {
        done.push(item);
      }),
    ).resolves.toBeUndefined();
    expect(done).toEqual([1, 2]);
  });

  it("rejects with the first failure after running all items: two items fail", async () => {
    const done: number[] = [];

    await expect(
      tryEach([1, 2, 3], async (item) => {
        done.push(item);
        if (item !== 2) throw new Error(`failure ${item}`);
      }),
    ).rejects.toThrow("failure 1");
    expect(done).toEqual([1, 2, 3]);
  });

  it("runs one item at a time", async () => {
    const events: string[] = [];

    await tryEach(["a", "b"], async (item) => {
      events.push(`${item} starts`);
      await new Promise(setImmediate);
      events.push(`${item} ends`);
    });

    expect(events).toEqual(["a starts", "a ends", "b starts", "b ends"]);
  });
});
