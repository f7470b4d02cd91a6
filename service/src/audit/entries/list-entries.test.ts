import { describe, expect, it } from "vitest";
import { appendEntries, createDatabaseAttacker } from "../../../test/audit-trail.ts";
import { useHarness } from "../../../test/harness.ts";
import { newId } from "../../foundation/ids.ts";
import { chainPendingEntries } from "../chains/chain-pending-entries.ts";
import type { ChainKey } from "../chains/queries.ts";
import { listEntries } from "./entries.ts";
import type { EntryFilter } from "./queries.ts";

describe("listEntries", () => {
  const harness = useHarness();

  async function arrange(count: number): Promise<ChainKey> {
    const key: ChainKey = { tenantId: newId("dev"), chain: "tenant" };
    await appendEntries(harness.app.db, key, { count });
    return key;
  }

  /** Reads all pages, scanning at most four entries per call. */
  async function pagesOf(key: ChainKey, filter: EntryFilter, limit: number): Promise<number[][]> {
    const pages: number[][] = [];
    let beforeSequence: number | undefined;
    for (;;) {
      const query = { key, filter, beforeSequence, limit, scannedMax: 4 };
      const { entries, nextBeforeSequence } = await listEntries(harness.app, query);
      pages.push(entries.map(({ sequence }) => sequence));
      if (nextBeforeSequence === null || pages.length > 20) return pages;
      beforeSequence = nextBeforeSequence;
    }
  }

  it("returns all entries once, newest first, for any page size", async () => {
    const key = await arrange(9);

    expect(await pagesOf(key, {}, 3)).toEqual([
      [9, 8, 7],
      [6, 5, 4],
      [3, 2, 1],
    ]);
    expect(await pagesOf(key, {}, 10)).toEqual([[9, 8, 7, 6], [5, 4, 3, 2], [1]]);
    expect(await pagesOf(await arrange(4), {}, 4)).toEqual([[4, 3, 2, 1]]);
    expect(await pagesOf(await arrange(0), {}, 4)).toEqual([[]]);
  });

  it("scans a limited number of entries per call, and continues with the next page", async () => {
    const key = await arrange(10);

    expect(await pagesOf(key, { subjectId: "note_2" }, 5)).toEqual([[], [], [2]]);
    expect(await pagesOf(key, { action: "note.burnt" }, 5)).toEqual([[], [], []]);
    expect(await pagesOf(key, { mode: "test" }, 5)).toEqual([[], [], []]);
  });

  it("returns the remaining entries if tampering prevents adding new ones", async () => {
    const key = await arrange(3);
    await chainPendingEntries(harness.app.db, key);
    const intruder = await createDatabaseAttacker(harness.database.superuserUrl, key);
    await intruder.tamper(
      `delete from audit_entries where ${intruder.own} and subject ->> 'id' = 'note_2'`,
      `update audit_heads set sequence = 1 where ${intruder.own}`,
    );
    await intruder.end();
    await appendEntries(harness.app.db, key, { count: 1, first: 4 });

    const page = await listEntries(harness.app, {
      ...{ key, filter: {}, beforeSequence: undefined, limit: 10 },
    });

    expect(page.entries.map(({ sequence }) => sequence)).toEqual([3, 1]);
  });
});
