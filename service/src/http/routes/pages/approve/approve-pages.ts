import { formatUsdMicros, parseUsdMicros, usdMicros } from "../../../../foundation/money.ts";
import { escapeHtml, isolate } from "../../../../foundation/text.ts";
import type { ApprovalStatus } from "../../../../foundation/vocabulary.ts";
import type { EmailedApproval } from "../../../../modules/approvals/get-approval.ts";
import type { SubjectState } from "../../../../workflows/decide-approval/approval-subjects.ts";
import type { ApprovalEffects } from "../../../../workflows/decide-approval/decide-approval.ts";
import { alertHtml, htmlPage, LOCAL_TIMES_SCRIPT, timeHtml } from "../html-page.ts";

export function approvalPage({
  approval,
  agentName,
  effects: { rules, left },
  once,
  path,
  alert,
}: EmailedApproval & {
  readonly effects: ApprovalEffects;
  /** The form's CSRF token. */
  readonly once: string;
  readonly path: string;
  readonly alert: string | undefined;
}): string {
  const { summary, agentId, mode, expiresAt } = approval;
  const { amount, currency, payee, reason, lineItems, riskFlags } = summary;
  const ruleIds = approval.rules.map(({ ruleId }) => ruleId);
  const unusual = riskFlags.filter((flag) => !ruleIds.includes(flag)).map(riskText);
  const rows = [
    ["Request", isolate(summary.title)],
    ["Amount", amount === null ? "" : `<strong>${amountText(amount, currency)}</strong>`],
    ["Payee", payee === null ? "" : isolate(payee)],
    ["Agent", agentId === null ? "" : agentText(agentName, agentId)],
    ["Reason given", reason === null ? "" : isolate(reason)],
    ["Why you are asked", list([...rules.map(isolate), ...unusual])],
    ["Left before and after", list(left.map((each) => leftText(each, amount)))],
    ["Details", list(lineItems.map((item) => lineText(item, currency)))],
    ["Mode", mode],
    ["Expires", timeHtml(expiresAt)],
  ] as const;
  return htmlPage(
    "Approve this request?",
    `${alertHtml(alert)}<dl>
${rows.map(([term, value]) => (value === "" ? "" : `<dt>${term}</dt><dd>${value}</dd>\n`)).join("")}</dl>
<p class="quiet">Agents write their names and reasons themselves. Approve only what you want to happen.</p>
<form method="post" action="${escapeHtml(path)}" class="decision">
<input type="hidden" name="once" value="${escapeHtml(once)}">
<button type="submit" name="decision" value="approved" class="primary">Approve</button>
<button type="submit" name="decision" value="denied">Deny</button>
</form>
${LOCAL_TIMES_SCRIPT}`,
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
export function endedPage(
  status: ApprovalStatus,
  when: "now" | "before",
  outcome: Pick<SubjectState, "status" | "failure"> | undefined,
): string {
  const ending = ENDINGS[status];
  const text = (status === "approved" && outcome && outcomeText(outcome)) || ending.text;
  const isCarriedOut = status !== "approved" || !outcome?.failure;
  return htmlPage(
    isCarriedOut ? ending[when] : `${ending[when]}, but not carried out`,
    `<p>${text} You can close this page.</p>`,
  );
}

function outcomeText({ status, failure }: Pick<SubjectState, "status" | "failure">): string {
  const name = `<strong>${escapeHtml(status.replaceAll("_", " "))}</strong>`;
  if (failure !== null) {
    return `The request is ${name}: ${isolate(failure.detail)}`;
  }
  if (status === "requires_approval") {
    return "Another rule asks, so the request waits for another approval. You get another email.";
  }
  return status === "pending" || status === "running" ? "" : `The request is ${name}.`;
}

export const unknownLinkPage = htmlPage(
  "This link does not work",
  `<p>It is incomplete, or the request no longer exists. Open the link in the email again. <code>GET /approvals</code> lists the requests that wait for you, as the <a href="/docs/reference">API reference</a> describes.</p>`,
);

/** Shown if the URL contains no secret and the visitor is not the developer. */
export function loginRequiredPage(path: string): string {
  return htmlPage(
    "Log in first",
    `<p>To decide this request, <a href="/login">log in</a> to the account that it belongs to. Then <a href="${escapeHtml(path)}">open this page again</a>. You can also decide with the link in the email, without logging in.</p>`,
  );
}

/** Shows what is left before and after the amount is spent. */
function leftText({ label, before }: ApprovalEffects["left"][number], amount: string | null) {
  const spent = parseUsdMicros(amount ?? "0") ?? 0n;
  const after =
    spent > before
      ? `exceeded by ${formatUsdMicros(usdMicros(spent - before))}`
      : formatUsdMicros(usdMicros(before - spent));
  return `${escapeHtml(label)}: ${formatUsdMicros(before)}, then ${after}`;
}

function agentText(name: string | null, agentId: string): string {
  const id = `<code>${escapeHtml(agentId)}</code>`;
  return name === null ? id : `${isolate(name)}, ${id}`;
}

function amountText(amount: string, currency: string | null): string {
  return escapeHtml(currency === null ? amount : `${amount} ${currency.toUpperCase()}`);
}

function lineText(
  { description, amount }: { readonly description: string; readonly amount: string },
  currency: string | null,
): string {
  return `${isolate(description)}: ${amountText(amount, currency)}`;
}

function riskText(flag: string): string {
  return escapeHtml(flag.replaceAll("_", " "));
}

function list(items: readonly string[]): string {
  if (items.length === 0) return "";
  return `<ul>${items.map((item) => `<li>${item}</li>`).join("")}</ul>`;
}
