import { describe, expect, it } from "vitest";
import { appendEntries, createDatabaseAttacker } from "../../test/audit-trail.ts";
import { TestClock } from "../../test/clock.ts";
import { useHarness } from "../../test/harness.ts";
import { chainPendingEntries } from "../audit/chains/chain-pending-entries.ts";
import type { ChainKey } from "../audit/chains/queries.ts";
import { watchAnchor } from "../audit/checkpoints/checkpoints.ts";
import { anchorAudit } from "./anchor-audit.ts";

const DAY_SECONDS = 86_400;

describe("anchorAudit", () => {
  const harness = useHarness();

  const mismatchesOf = ({ tenantId }: ChainKey) =>
    harness.app.db
      .selectFrom("events")
      .select(["mode", "subjectId", "sequence", "data"])
      .where("tenantId", "=", tenantId)
      .where("type", "=", "audit.anchor_mismatch")
      .execute();

  async function arrange() {
    const { tenantId } = await harness.seedTenant();
    const key: ChainKey = { tenantId, chain: "tenant" };
    await appendEntries(harness.app.db, key, { count: 3, first: 1 });
    await chainPendingEntries(harness.app.db, key);
    return key;
  }

  it("an alarm follows when entries are unanchored for five minutes more than the anchor needs twice", async () => {
    await arrange();
    const app = { ...harness.app, auditAnchor: { ...harness.app.auditAnchor, delayMs: 600_000 } };
    const alarmsAfter = async (seconds: number) => {
      await watchAnchor({ ...app, clock: new TestClock(new Date(Date.UTC(2026, 0, 1, 0, 0, 1 + seconds))) });
      return harness.logLines.filter((line) => line.includes("have not been anchored")).length;
    };

    expect(await alarmsAfter(1_499)).toBe(0);
    expect(await alarmsAfter(1_500)).toBe(1);
  });

  it("a changed chain: records an event for its owner once per day and logs an error on every run; other chains are unaffected", async () => {
    const [key, intact] = [await arrange(), await arrange()];
    const intruder = await createDatabaseAttacker(harness.database.superuserUrl, key);
    await intruder.tamper(`update audit_entries set facts = '{}' where ${intruder.own}`);
    await intruder.end();

    await anchorAudit(harness.app);
    harness.clock.advanceSeconds(DAY_SECONDS - 1);
    await anchorAudit(harness.app);

    const mismatch = {
      mode: "live",
      subjectId: "tenant",
      sequence: null,
      data: { chain: "tenant" },
    };
    expect(await mismatchesOf(key)).toEqual([mismatch]);
    expect(await mismatchesOf(intact)).toEqual([]);
    const lines = harness.logLines.filter((line) => line.includes("does not match its anchor"));
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain(key.tenantId);
    expect(lines[0]).toContain("broken at 1: hash_mismatch");
    harness.clock.advanceSeconds(1);
    await anchorAudit(harness.app);
    expect(await mismatchesOf(key)).toEqual([mismatch, mismatch]);
  });

  it("records no mismatch event if the anchor does not respond", async () => {
    const key = await arrange();
    const auditAnchor = {
      ...harness.app.auditAnchor,
      latest: () => Promise.reject(new Error("the anchor is down")),
    };

    await anchorAudit({ ...harness.app, auditAnchor });

    expect(await mismatchesOf(key)).toEqual([]);
    expect(harness.logLines.join("")).toContain("could not anchor audit chains");
  });
});
