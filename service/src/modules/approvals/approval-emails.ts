import type { App } from "../../app.ts";
import type { Db, Tx } from "../../db/database.ts";
import { type ApprovalId, newId, type TenantId } from "../../foundation/ids.ts";
import { approvalUrls } from "../../foundation/wire/fields.ts";
import { enqueueEmail, type OutboxEmail, outboxEmailContext } from "../../outbox/enqueue.ts";
import type { TenantVault } from "../../vault/vault.ts";
import { getDeveloper } from "../developers/queries.ts";
import { approvalStatusAt } from "./approval-resource.ts";
import { findAgentName } from "./get-approval.ts";
import { type Approval, approvalRows, countEmailed, listNotEmailed } from "./queries.ts";

/** How many requests are emailed each on its own: of an agent in ten minutes, and of an account in an hour. */
const OWN_EMAILS_MAX = { ofAgent: 5, ofTenant: 20 } as const;
const DIGEST_MS = 60_000;
/** A transaction that has read the clock commits within this time, so that the digest contains its request. */
const COMMIT_MS = 10_000;
const LISTED_MAX = 20;

/** Returns whether a new approval gets an email of its own. */
export async function isEmailedAlone(
  tx: Tx,
  asking: Pick<Approval, "tenantId" | "mode" | "agentId">,
  at: Date,
): Promise<boolean> {
  const { ofAgent, ofTenant } = await countEmailed(tx, asking, at);
  return ofAgent < OWN_EMAILS_MAX.ofAgent && ofTenant < OWN_EMAILS_MAX.ofTenant;
}

/** Enqueues the email about a new approval, or one digest of a minute if there are too many of them. */
export async function enqueueApprovalEmail(
  tx: Tx,
  { vault }: { readonly vault: TenantVault },
  approval: Approval,
  token: string,
): Promise<void> {
  const { tenantId, createdAt, expiresAt, isEmailed } = approval;
  const { email: to } = await getDeveloper(tx, tenantId);
  if (!isEmailed) {
    const end = Math.floor(createdAt.getTime() / DIGEST_MS + 1) * DIGEST_MS;
    await enqueueEmail(tx, approval, {
      ...({ template: "approvals_waiting", to, sealedToken: null, createdAt } as const),
      messageId: `mail_approvals_${end}_${tenantId}`,
      dueAt: new Date(end + COMMIT_MS),
    });
    return;
  }
  const messageId = newId("mail");
  await enqueueEmail(tx, approval, {
    ...({ messageId, template: "approval_requested", to, createdAt, expiresAt } as const),
    facts: await emailFactsOf(tx, approval),
    sealedToken: vault.seal(outboxEmailContext(messageId), token),
  });
}

/** Returns the values of an email that is about to be sent. Undefined if there is nothing to decide any more. */
export async function currentEmailFacts(
  app: Pick<App, "db" | "clock" | "settings">,
  tenantId: TenantId,
  { template, facts = {} }: Pick<OutboxEmail, "template" | "facts">,
): Promise<OutboxEmail["facts"]> {
  const { db, clock } = app;
  const at = clock.now();
  if (template !== "approval_requested" && template !== "approvals_waiting") return facts;
  if (template === "approvals_waiting") {
    const pending = await listNotEmailed(db, tenantId, at, 1_000);
    const [first] = pending;
    if (first === undefined) return undefined;
    const lines = pending.slice(0, LISTED_MAX).map(async (approval) => {
      const { mode, title, agent, expires_at } = await emailFactsOf(db, approval);
      const url = approvalUrls(app, approval.approvalId).approve_page_url;
      return `${title} (${mode} mode, ${agent || "developer"}, expires at ${expires_at} UTC): ${url}`;
    });
    const requests = (await Promise.all(lines)).join("\n");
    return { count: String(pending.length), first: first.approvalId, requests };
  }
  const approval = await approvalRows.find(db, { tenantId, approvalId: facts["approval_id"] as ApprovalId });
  return approval !== undefined && approvalStatusAt(approval, at) === "pending" ? facts : undefined;
}

async function emailFactsOf(db: Db, approval: Approval) {
  const { mode, agentId, summary, expiresAt, approvalId } = approval;
  const { title, amount, currency, payee, reason } = summary;
  const agentName = await findAgentName(db, approval);
  const facts = {
    approval_id: approvalId,
    mode,
    title,
    amount: amount === null ? "" : `${amount} ${currency?.toUpperCase() ?? ""}`,
    payee: payee ?? "",
    agent: agentId === null ? "" : `${agentName ?? "unnamed"} (${agentId})`,
    reason: reason ?? "",
    expires_at: expiresAt.toISOString().slice(0, 16).replace("T", " "),
  };
  // Agents choose some of these texts. With a line break, one could look like another line of the email.
  return Object.fromEntries(Object.entries(facts).map(([name, text]) => [name, text.replaceAll(/\s+/g, " ").trim()]));
}
