import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../test/accounts.ts";
import { seedApproval } from "../../../test/approvals/seed-approval.ts";
import { useHarness } from "../../../test/harness.ts";
import { seedAgent } from "../../../test/services.ts";
import { systemActor } from "../../audit/actors.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { TenantId } from "../../foundation/ids.ts";
import { cancelApprovalsOf } from "./approvals.ts";
import type { WaitingFor } from "./queries.ts";

describe("cancelApprovalsOf", () => {
  const harness = useHarness();
  const { query } = accountsOf(harness);

  async function cancel(tenantId: TenantId, waiting: WaitingFor): Promise<string[]> {
    const actor = systemActor({ tenantId, mode: "live" });
    const canceled = await withTransaction(harness.app.db, tenantId, (tx) =>
      cancelApprovalsOf(tx, harness.app, actor, waiting),
    );
    return canceled.map(({ approvalId }) => approvalId);
  }

  const statusOf = async (approvalId: string) =>
    (await query("select status from approvals where approval_id = $1", [approvalId]))[0].status;

  it("cancels the pending approvals of the subject, each with an audit entry and an event", async () => {
    const tenantId = await harness.seedDeveloper();
    const subject = { type: "test_purchase", id: "tpu_2" };
    const own = await seedApproval(harness.app, tenantId, { subject });
    const second = await seedApproval(harness.app, tenantId, { subject });
    const others = [
      await seedApproval(harness.app, tenantId),
      await seedApproval(harness.app, tenantId, { subject, mode: "test" }),
      await seedApproval(harness.app, await harness.seedDeveloper(), { subject }),
    ];

    expect(await cancel(tenantId, { subject })).toEqual([own, second]);
    expect(await cancel(tenantId, { subject })).toEqual([]);

    expect(await statusOf(own)).toBe("canceled");
    for (const other of others) expect(await statusOf(other)).toBe("pending");
    const events = await query(
      "select subject_id as id from events where tenant_id = $1 and type = 'approval.canceled'",
      [tenantId],
    );
    expect(events.map(({ id }) => id).sort()).toEqual([own, second]);
    const entries = await query(
      "select subject ->> 'id' as id from audit_entries where tenant_id = $1 and action = 'approval.canceled'",
      [tenantId],
    );
    expect(entries.map(({ id }) => id).sort()).toEqual([own, second]);
  });

  it("cancels the pending approvals of the agent, but not one that has expired", async () => {
    const tenantId = await harness.seedDeveloper();
    const agentId = await seedAgent(harness.app, { tenantId });
    const expired = await seedApproval(harness.app, tenantId, { agentId, seconds: 60 });
    const pending = await seedApproval(harness.app, tenantId, { agentId, seconds: 61 });
    const other = await seedApproval(harness.app, tenantId);
    harness.clock.advanceSeconds(60);

    expect(await cancel(tenantId, { agentId })).toEqual([pending]);

    expect([await statusOf(expired), await statusOf(other)]).toEqual(["pending", "pending"]);
  });
});
