import { describe, expect, it } from "vitest";
import { useHarness } from "../../../test/harness.ts";
import { withTransaction } from "../../db/transaction.ts";
import { purgeExpiredRows } from "../../due-work/retention/purge-expired-rows.ts";
import { newId } from "../../foundation/ids.ts";

describe("purging decisions", () => {
  const harness = useHarness();

  it("deletes decisions after 31 days", async () => {
    const tenantId = await harness.seedDeveloper();
    await withTransaction(harness.app.db, tenantId, (tx) =>
      tx
        .insertInto("policyDecisions")
        .values({
          tenantId,
          decisionId: newId("pdc"),
          mode: "live",
          agentId: "0b9b2a4e-6c1d-4a53-9a4f-3d1f0c2b7a10",
          operation: "payment",
          facts: "{}",
          outcome: "deny",
          policyId: null,
          policyVersion: null,
          ruleId: null,
          decidedAt: harness.clock.now(),
        })
        .execute(),
    );
    const count = async () =>
      (await harness.app.db.selectFrom("policyDecisions").select("decisionId").execute()).length;
    harness.clock.advanceSeconds(31 * 86_400);

    await purgeExpiredRows(harness.app);
    expect(await count()).toBe(1);
    harness.clock.advanceSeconds(1);
    await purgeExpiredRows(harness.app);
    expect(await count()).toBe(0);
  });
});
