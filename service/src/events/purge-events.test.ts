import { describe, expect, it } from "vitest";
import { useHarness } from "../../test/harness.ts";
import { systemActor } from "../audit/actors.ts";
import { withTransaction } from "../db/transaction.ts";
import { purgeExpiredRows } from "../due-work/retention/purge-expired-rows.ts";
import { newId, type TenantId } from "../foundation/ids.ts";
import { appendEvent } from "./events.ts";

describe("purging events", () => {
  const harness = useHarness();

  const append = (tenantId: TenantId) =>
    withTransaction(harness.app.db, tenantId, (tx) =>
      appendEvent(tx, systemActor({ tenantId }), {
        type: "project.updated",
        subject: { type: "project", id: "proj_one" },
        data: {},
        occurredAt: harness.clock.now(),
      }),
    );

  const sequencesOf = async (tenantId: TenantId) => {
    const rows = await harness.app.db
      .selectFrom("events")
      .select("sequence")
      .where("tenantId", "=", tenantId)
      .orderBy("sequence")
      .execute();
    return rows.map(({ sequence }) => sequence);
  };

  it("deletes events of every tenant after thirty days; their subjects' numbers continue", async () => {
    const [tenantId, other] = [newId("dev"), newId("dev")];
    for (let step = 1; step <= 5; step += 1) await append(tenantId);
    for (let step = 1; step <= 2; step += 1) await append(other);
    harness.clock.advanceSeconds(30 * 24 * 3_600);
    await append(other);

    await purgeExpiredRows(harness.app);
    expect(await sequencesOf(tenantId)).toEqual([1, 2, 3, 4, 5]);
    expect(await sequencesOf(other)).toEqual([1, 2, 3]);
    harness.clock.advanceSeconds(1);
    await purgeExpiredRows(harness.app);

    expect(await sequencesOf(tenantId)).toEqual([]);
    expect(await sequencesOf(other)).toEqual([3]);
    await append(tenantId);
    expect(await sequencesOf(tenantId)).toEqual([6]);
  });

  it("two workers purge at the same time", async () => {
    const tenantId = newId("dev");
    for (let step = 1; step <= 9; step += 1) await append(tenantId);
    harness.clock.advanceSeconds(30 * 24 * 3_600 + 1);

    await Promise.all([purgeExpiredRows(harness.app), purgeExpiredRows(harness.app)]);

    expect(await sequencesOf(tenantId)).toEqual([]);
  });
});
