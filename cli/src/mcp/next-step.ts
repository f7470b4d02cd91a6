/** What to do after an answer, by its status. The texts are fixed: nothing of an answer is in them. */
const NEXT_STEPS: Readonly<Record<string, string>> = {
  requires_approval:
    "A person must approve this. Show them approval.approve_page_url, then call approval_wait with approval.approval_id.",
  require_approval: "payment_send would wait until a person approves.",
  running: "It still runs. Call operation_wait with its operation_id.",
  pending_auth: "Ask the person to open url in a browser. project_status then shows whether the provider is linked.",
  approval_pending: "No person has decided yet. Call approval_wait again.",
  approval_approved: "Read what was approved: payment_get or operation_wait, with subject.id.",
};

interface Status {
  readonly status?: string;
  readonly outcome?: unknown;
  readonly operation?: { readonly status?: string };
}

/** Returns undefined if nothing is left to do. */
export function nextStep(data: object): string | undefined {
  const { status, outcome, operation } = data as Status;
  const current = String(operation?.status ?? status ?? outcome);
  return NEXT_STEPS["approval_id" in data ? `approval_${current}` : current];
}
