import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { accountsOf } from "../../../test/accounts.ts";
import { seedApproval } from "../../../test/approvals/seed-approval.ts";
import { useHarness } from "../../../test/harness.ts";
import { developerActor } from "../../audit/actors.ts";
import { AppError } from "../../foundation/errors.ts";
import type { ApprovalId, TenantId } from "../../foundation/ids.ts";
import { approvalRows } from "../../modules/approvals/queries.ts";
import type { ApprovalSubject, ApprovalSubjects } from "./approval-subjects.ts";
import { decideEmailedApproval, expireApprovals, readEffects } from "./decide-approval.ts";

describe("decisions and their effect on the subject", () => {
  const harness = useHarness();
  const { query } = accountsOf(harness);

  /** Records the calls. Renames the developer, as an effect that can be seen. */
  function subjectsWith(more: Partial<ApprovalSubject> = {}) {
    const calls: string[] = [];
    const subject: ApprovalSubject = {
      decided: async (tx, _app, { actor }, { tenantId, status }) => {
        calls.push(`${status} by ${actor.type}`);
        await tx.updateTable("developers").set({ companyName: status }).where("tenantId", "=", tenantId).execute();
      },
      read: async () => ({ status: "renamed", failure: null, projectId: null }),
      afterCommit: async (_app, { approvalId, status }) => {
        const [row] = await query("select status from approvals where approval_id = $1", [approvalId]);
        calls.push(`after commit: ${status}, stored: ${row.status}`);
      },
      ...more,
    };
    const subjects: ApprovalSubjects = new Map([["test_purchase", subject]]);
    return { calls, subjects };
  }

  const decide = (
    tenantId: TenantId,
    approvalId: ApprovalId,
    decision: "approved" | "denied",
    subjects: ApprovalSubjects,
  ) =>
    decideEmailedApproval(
      harness.app,
      developerActor({ tenantId, mode: "live" }, { network: "192.0.2.1", requestId: "req_1" }),
      { approvalId, decision, via: "email_link" },
      subjects,
    );

  const stateOf = async (tenantId: TenantId) => {
    const [row] = await query(
      `select a.status, d.company_name from approvals a join developers d using (tenant_id)
        where a.tenant_id = $1`,
      [tenantId],
    );
    return [row.status, row.company_name];
  };

  async function arrange(seconds?: number) {
    const tenantId = await harness.seedDeveloper();
    const seed = seconds === undefined ? {} : { seconds };
    return { tenantId, approvalId: await seedApproval(harness.app, tenantId, seed) };
  }

  it.each(["approved", "denied"] as const)(
    "%s: in the transaction of the decision, then after its commit",
    async (decision) => {
      const { tenantId, approvalId } = await arrange();
      const { calls, subjects } = subjectsWith();

      await decide(tenantId, approvalId, decision, subjects);

      expect(calls).toEqual([`${decision} by developer`, `after commit: ${decision}, stored: ${decision}`]);
      expect(await stateOf(tenantId)).toEqual([decision, decision]);
    },
  );

  it("stays pending if the effect fails", async () => {
    const { tenantId, approvalId } = await arrange();
    const { calls, subjects } = subjectsWith({
      decided: async () => {
        throw new AppError("service_unavailable");
      },
    });

    const deciding = decide(tenantId, approvalId, "approved", subjects);

    await expect(deciding).rejects.toMatchObject({ code: "service_unavailable" });
    expect([calls, await stateOf(tenantId)]).toEqual([[], ["pending", null]]);
  });

  it("stays decided if the work after the commit fails, which is logged", async () => {
    const { tenantId, approvalId } = await arrange();
    const { subjects } = subjectsWith({
      afterCommit: async () => {
        throw new Error("not started");
      },
    });

    await decide(tenantId, approvalId, "approved", subjects);

    expect(await stateOf(tenantId)).toEqual(["approved", "approved"]);
    expect(harness.logLines.filter((line) => line.includes(approvalId))).toHaveLength(1);
  });

  it("a failed read of what a decision changes is an error of its request, and stops nothing else", async () => {
    const { tenantId, approvalId } = await arrange();
    const approval = await approvalRows.get(harness.app.db, { tenantId, approvalId });
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    onTestFinished(() => void process.off("unhandledRejection", unhandled));

    // PostgreSQL rejects texts with this character.
    const rules = approval.rules.map((rule) => ({ ...rule, policyId: "pol_\u0000" as const }));
    await expect(readEffects(harness.app, { ...approval, rules, agentId: randomUUID() })).rejects.toThrow();

    expect(unhandled).not.toHaveBeenCalled();
  });

  it("expires the approvals of all tenants from the second of expires_at, each with its effect", async () => {
    const tenants = [await arrange(60), await arrange(60), await arrange(61)] as const;
    const { calls, subjects } = subjectsWith();
    harness.clock.advanceSeconds(59);
    await expireApprovals(harness.app, subjects);
    expect(calls).toEqual([]);

    harness.clock.advanceSeconds(1);
    await expireApprovals(harness.app, subjects);
    await expireApprovals(harness.app, subjects);

    const states = await Promise.all(tenants.map(({ tenantId }) => stateOf(tenantId)));
    expect(states).toEqual([
      ["expired", "expired"],
      ["expired", "expired"],
      ["pending", null],
    ]);
    const effects = ["expired by system", "after commit: expired, stored: expired"];
    expect(calls).toEqual([...effects, ...effects]);
    const events = await query("select data ->> 'status' as status from events where type = 'approval.expired'");
    expect(events).toEqual([{ status: "expired" }, { status: "expired" }]);
  });

  it("expires the others if the effect of one fails", async () => {
    const failing = await arrange(60);
    const other = await arrange(61);
    harness.clock.advanceSeconds(120);
    const { subjects } = subjectsWith();
    const decided = subjects.get("test_purchase")?.decided;
    const failingSubjects: ApprovalSubjects = new Map([
      [
        "test_purchase",
        {
          read: async () => ({ status: "renamed", failure: null, projectId: null }),
          decided: async (tx, app, actor, approval) => {
            if (approval.tenantId === failing.tenantId) throw new Error("broken");
            await decided?.(tx, app, actor, approval);
          },
        },
      ],
    ]);

    await expect(expireApprovals(harness.app, failingSubjects)).rejects.toThrow("broken");

    expect(await stateOf(failing.tenantId)).toEqual(["pending", null]);
    expect(await stateOf(other.tenantId)).toEqual(["expired", "expired"]);
  });
});
