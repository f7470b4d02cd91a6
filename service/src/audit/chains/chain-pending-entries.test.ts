import { describe, expect, it } from "vitest";
import { appendEntries, createDatabaseAttacker } from "../../../test/audit-trail.ts";
import { useHarness } from "../../../test/harness.ts";
import { newId } from "../../foundation/ids.ts";
import { chainAllPendingEntries, chainPendingEntries } from "./chain-pending-entries.ts";
import type { ChainKey } from "./queries.ts";
import { verifyChain } from "./verify.ts";

describe("chainPendingEntries", () => {
  const harness = useHarness();

  const newChain = (): ChainKey => ({ tenantId: newId("dev"), chain: "tenant" });

  const countChainEntries = async ({ tenantId }: ChainKey) => {
    const entries = await harness.app.db
      .selectFrom("auditLinks")
      .select("sequence")
      .where("tenantId", "=", tenantId)
      .execute();
    return entries.length;
  };

  it("adds all pending entries in the order they were written, in several batches", async () => {
    const key = newChain();
    await appendEntries(harness.app.db, key, { count: 1_010 });

    expect(await chainPendingEntries(harness.app.db, key)).toBe(1_010);

    expect(await chainPendingEntries(harness.app.db, key)).toBe(0);
    expect(await verifyChain(harness.app, key)).toMatchObject({
      valid: true,
      entriesChecked: 1_010,
    });
    const intruder = await createDatabaseAttacker(harness.database.superuserUrl, key);
    const numbers = (await intruder.records()).map(({ facts }) => facts["number"]);
    await intruder.end();
    expect(numbers).toEqual(Array.from({ length: 1_010 }, (_, index) => index + 1));
  });

  it("adds each entry once if several calls run at the same time", async () => {
    const key = newChain();
    await appendEntries(harness.app.db, key, { count: 60 });

    const added = await Promise.all(Array.from({ length: 6 }, () => chainPendingEntries(harness.app.db, key)));

    expect(added.reduce((sum, count) => sum + count, 0)).toBe(60);
    expect(await verifyChain(harness.app, key)).toMatchObject({ valid: true, entriesChecked: 60 });
  });

  it("extends the other chains if entries cannot be added to one chain", async () => {
    const keys = Array.from({ length: 5 }, newChain);
    for (const key of keys) await appendEntries(harness.app.db, key, { count: 2 });
    const [broken] = keys;
    if (broken === undefined) throw new Error("There are five chains.");
    await chainPendingEntries(harness.app.db, broken);
    await appendEntries(harness.app.db, broken, { count: 1, first: 3 });
    const intruder = await createDatabaseAttacker(harness.database.superuserUrl, broken);
    await intruder.tamper(`update audit_heads set sequence = 1 where ${intruder.own}`);

    const job = chainAllPendingEntries(harness.app);

    await expect(job).rejects.toThrow("1 audit chains could not be extended");
    expect(await Promise.all(keys.map(countChainEntries))).toEqual([2, 2, 2, 2, 2]);
    await intruder.tamper(`delete from audit_pending where ${intruder.own}`);
    await intruder.end();
  });
});
