import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../test/accounts.ts";
import { approvalPathOf, seedApproval } from "../../../test/approvals/seed-approval.ts";
import { useHarness } from "../../../test/harness.ts";
import { seedAgent } from "../../../test/services.ts";
import { sha256Hex } from "../../crypto/signing.ts";
import { withTransaction } from "../../db/transaction.ts";
import { enqueueNoticeEmail } from "../developers/enqueue-emails.ts";

describe("requestApproval", () => {
  let isMailServerDown = false;
  const harness = useHarness({
    replace: ({ mailer }) => ({
      mailer: {
        send: async (mail) => {
          if (isMailServerDown) throw new Error("connect ECONNREFUSED");
          await mailer.send(mail);
        },
      },
    }),
  });
  const { query, everyRow } = accountsOf(harness);

  const mailTo = (tenantId: string) => harness.mails.findLast(({ to }) => to === `${tenantId}@example.com`);

  it("emails the developer what is requested, by which agent and until when", async () => {
    const tenantId = await harness.seedDeveloper();
    const agentId = await seedAgent(harness.app, { tenantId });
    await seedApproval(harness.app, tenantId, {
      agentId,
      summary: { reason: "<b>bold</b>\n\nAmount: 1.00 USD" },
    });

    const path = await approvalPathOf(harness, tenantId);

    const mail = mailTo(tenantId);
    expect(mail?.subject).toBe("Approval requested: Add neon/postgres");
    for (const line of [
      "A request in live mode",
      "Amount: 20.00 USD",
      "Payee: neon",
      `Agent: buyer (${agentId})`,
      "Reason given: <b>bold</b> Amount: 1.00 USD",
      "Expires at (UTC): 2026-11-21 11:00",
      `http://purser.test${path}`,
    ]) {
      expect(mail?.text).toContain(line);
    }
    expect(mail?.html).toContain("&lt;b&gt;bold&lt;/b&gt;");
    expect(mail?.html).not.toContain("<b>");
  });

  it("omits from the email what the request does not have", async () => {
    const tenantId = await harness.seedDeveloper();
    const summary = { amount: null, currency: null, payee: null, reason: null };
    await seedApproval(harness.app, tenantId, { summary });

    await approvalPathOf(harness, tenantId);

    expect(mailTo(tenantId)?.text).not.toMatch(/Amount|Payee|Agent|Reason/);
  });

  it("stores the token only as a hash, and not in the event or the audit entry", async () => {
    const tenantId = await harness.seedDeveloper();
    const id = await seedApproval(harness.app, tenantId);
    const rows = await everyRow();

    const token = (await approvalPathOf(harness, tenantId)).split("/").at(-1) ?? "";

    expect(token).toHaveLength(43);
    expect(rows).not.toContain(token);
    const [row] = await query("select token_hash from approvals where approval_id = $1", [id]);
    expect(row).toEqual({ token_hash: sha256Hex(token) });
    const events = await query("select type, data from events where subject_id = $1", [id]);
    const entries = await query("select action from audit_entries where tenant_id = $1", [tenantId]);
    expect(events).toMatchObject([{ type: "approval.requested", data: { status: "pending" } }]);
    expect(JSON.stringify(events)).not.toContain(sha256Hex(token));
    expect(entries).toEqual([{ action: "approval.requested" }]);
  });

  it("stands while the mail server is down, and the email comes later", async () => {
    const tenantId = await harness.seedDeveloper();
    isMailServerDown = true;
    const id = await seedApproval(harness.app, tenantId);
    await harness.deliverMails();
    const [row] = await query("select status from approvals where approval_id = $1", [id]);
    expect([row, mailTo(tenantId)]).toEqual([{ status: "pending" }, undefined]);

    isMailServerDown = false;
    harness.clock.advanceSeconds(60);

    expect(await approvalPathOf(harness, tenantId)).toMatch(/^\/approve\/[\w-]{43}$/);
  });

  it("sends no email once the approval has expired", async () => {
    const tenantId = await harness.seedDeveloper();
    await seedApproval(harness.app, tenantId, { seconds: 60 });
    harness.clock.advanceSeconds(60);

    expect(await approvalPathOf(harness, tenantId)).toBe("");
  });

  /** What the developer was sent, without the ids. */
  async function mailsTo(tenantId: string) {
    // One run sends a few emails of each account.
    for (let run = 0; run < 10; run += 1) await harness.deliverMails();
    return harness.mails.filter(({ to }) => to === `${tenantId}@example.com`);
  }
  const ONE = "Approval requested: Add neon/postgres";

  it("emails five requests of an agent each on its own, and the rest that is pending as one digest", async () => {
    const tenantId = await harness.seedDeveloper();
    const agentId = await seedAgent(harness.app, { tenantId });
    const ids = [];
    for (let n = 0; n < 60; n += 1) ids.push(await seedApproval(harness.app, tenantId, { agentId }));
    await query("update approvals set status = 'denied', decided_at = now() where approval_id = $1", [ids[7]]);

    expect((await mailsTo(tenantId)).map(({ subject }) => subject)).toEqual(Array(5).fill(ONE));
    harness.clock.advanceSeconds(600);
    const mails = await mailsTo(tenantId);

    expect(mails.slice(5).map(({ subject }) => subject)).toEqual(["Approvals requested: 54"]);
    const text = mails.at(-1)?.text ?? "";
    expect(text.match(/: http:\/\/purser\.test\/approve\/apr_\w+/g)).toHaveLength(20);
    expect(text).toContain(`Add neon/postgres (live mode, buyer (${agentId}), expires at`);
    for (const id of [ids[0], ids[7]]) expect(text).not.toContain(id);
    await seedApproval(harness.app, tenantId, { agentId });
    expect((await mailsTo(tenantId)).at(-1)?.subject).toBe(ONE);
  });

  it("emails at most 20 requests of an account in an hour each on its own", async () => {
    const tenantId = await harness.seedDeveloper();
    for (let n = 0; n < 30; n += 1) {
      const agentId = await seedAgent(harness.app, { tenantId });
      await seedApproval(harness.app, tenantId, { agentId });
    }

    expect(await mailsTo(tenantId)).toHaveLength(20);
    harness.clock.advanceSeconds(600);
    expect((await mailsTo(tenantId)).at(-1)?.subject).toBe("Approvals requested: 10");
  });

  it("sends nothing to a developer who wants no emails about approvals, also no digest, but still security emails", async () => {
    const tenantId = await harness.seedDeveloper();
    const agentId = await seedAgent(harness.app, { tenantId });
    await query(
      `update developers set notification_preferences = '{"approvals":false,"security":false}'
      where tenant_id = $1`,
      [tenantId],
    );
    for (let n = 0; n < 6; n += 1) await seedApproval(harness.app, tenantId, { agentId });
    const notice = {
      tenantId,
      template: "password_changed",
      to: `${tenantId}@example.com`,
      at: harness.clock.now(),
    } as const;
    await withTransaction(harness.app.db, tenantId, (tx) => enqueueNoticeEmail(tx, notice));

    await mailsTo(tenantId);
    harness.clock.advanceSeconds(600);

    expect((await mailsTo(tenantId)).map(({ subject }) => subject)).toEqual([expect.stringContaining("password")]);
  });

  it("sends nothing about what was decided or canceled before the email", async () => {
    const tenantId = await harness.seedDeveloper();
    const agentId = await seedAgent(harness.app, { tenantId });
    for (let n = 0; n < 10; n += 1) await seedApproval(harness.app, tenantId, { agentId });
    await query("update approvals set status = 'canceled', decided_at = now() where tenant_id = $1", [tenantId]);

    harness.clock.advanceSeconds(600);

    expect(await mailsTo(tenantId)).toEqual([]);
    const left = await query("select message_id from outbox_messages where tenant_id = $1", [tenantId]);
    expect(left).toEqual([]);
  });

  it("conflict: the agent has 100 pending approvals, also if all are requested at once", async () => {
    const tenantId = await harness.seedDeveloper();
    const agentId = await seedAgent(harness.app, { tenantId });
    const request = () => seedApproval(harness.app, tenantId, { agentId, seconds: 60 });

    const outcomes = await Promise.allSettled(Array.from({ length: 105 }, request));

    const refused = outcomes.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(5);
    expect(refused[0]).toMatchObject({ reason: { code: "conflict" } });
    await seedApproval(harness.app, tenantId, {
      agentId: await seedAgent(harness.app, { tenantId }),
    });
    harness.clock.advanceSeconds(60);
    await request();
  });
});
