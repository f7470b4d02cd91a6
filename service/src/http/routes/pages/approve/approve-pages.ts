import { escapeHtml } from "../../../../foundation/escape-html.ts";
import type { ApprovalStatus } from "../../../../foundation/vocabulary.ts";
import type { EmailedApproval } from "../../../../modules/approvals/index.ts";
import { alertHtml, htmlPage } from "../html-page.ts";

/** Shows what waits for the approval, with buttons to approve or deny. */
export function approvalPage({
  approval,
  agentName,
  once,
  token,
  alert,
}: EmailedApproval & {
  /** The form's CSRF token. */
  readonly once: string;
  readonly token: string;
  readonly alert: string | undefined;
}): string {
  const { summary, agentId, mode, expiresAt } = approval;
  const { amount, currency, payee, reason, lineItems, riskFlags } = summary;
  const rows = [
    ["Request", isolated(summary.title)],
    ["Amount", amount === null ? "" : `<strong>${amountText(amount, currency)}</strong>`],
    ["Details", list(lineItems.map((item) => lineText(item, currency)))],
    ["Payee", payee === null ? "" : isolated(payee)],
    ["Agent", agentId === null ? "" : agentText(agentName, agentId)],
    ["Reason given", reason === null ? "" : isolated(reason)],
    ["Why you are asked", list(riskFlags.map(riskText))],
    ["Mode", mode],
    ["Expires", timeText(expiresAt)],
  ] as const;
  return htmlPage(
    "Approve this request?",
    `${alertHtml(alert)}<dl>
${rows.map(([term, value]) => (value === "" ? "" : `<dt>${term}</dt><dd>${value}</dd>\n`)).join("")}</dl>
<p>Agents write their names and reasons themselves. Approve only what you want to happen.</p>
<form method="post" action="/approve/${encodeURIComponent(token)}">
<input type="hidden" name="once" value="${escapeHtml(once)}">
<button type="submit" name="decision" value="approved" class="primary">Approve</button>
<button type="submit" name="decision" value="denied">Deny</button>
</form>`,
  );
}

const ENDINGS: Readonly<
  Record<ApprovalStatus, { readonly now: string; readonly before: string; readonly text: string }>
> = {
  pending: { now: "Not decided", before: "Not decided", text: "Open the link in the email again." },
  approved: { now: "Approved", before: "Already approved", text: "The request continues." },
  denied: { now: "Denied", before: "Already denied", text: "The request is not carried out." },
  expired: {
    now: "Expired",
    before: "This request has expired",
    text: "No one decided in time, so it is not carried out.",
  },
  canceled: {
    now: "Canceled",
    before: "This request was canceled",
    text: "What waited for the approval has ended, so there is nothing to decide.",
  },
};

/** Shown after the decision, and for an approval that can no longer be decided. */
export function endedPage(status: ApprovalStatus, when: "now" | "before"): string {
  const ending = ENDINGS[status];
  return htmlPage(ending[when], `<p>${ending.text} You can close this page.</p>`);
}

export const unknownLinkPage = htmlPage(
  "This link does not work",
  `<p>It is incomplete, or the request no longer exists. Open the link in the email again. <code>GET /approvals</code> lists the requests that wait for you, as the <a href="/docs">API reference</a> describes.</p>`,
);

function agentText(name: string | null, agentId: string): string {
  const id = `<code>${escapeHtml(agentId)}</code>`;
  return name === null ? id : `${isolated(name)}, ${id}`;
}

function amountText(amount: string, currency: string | null): string {
  return escapeHtml(currency === null ? amount : `${amount} ${currency.toUpperCase()}`);
}

function lineText(
  { description, amount }: { readonly description: string; readonly amount: string },
  currency: string | null,
): string {
  return `${isolated(description)}: ${amountText(amount, currency)}`;
}

function riskText(flag: string): string {
  return escapeHtml(flag.replaceAll("_", " "));
}

function timeText(at: Date): string {
  const text = at.toISOString();
  return `<time datetime="${text}">${text.slice(0, 19).replace("T", " ")} UTC</time>`;
}

/** Returns items of HTML as a list, or an empty string if there are none. */
function list(items: readonly string[]): string {
  if (items.length === 0) return "";
  return `<ul>${items.map((item) => `<li>${item}</li>`).join("")}</ul>`;
}

/**
 * Wraps text in `<bdi>`. Agents choose some of these texts, and right-to-left characters could reorder the text around
 * them.
 */
function isolated(text: string): string {
  return `<bdi>${escapeHtml(text)}</bdi>`;
}
