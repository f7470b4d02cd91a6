import type { App } from "../../src/app.ts";
import { withTransaction } from "../../src/db/transaction.ts";
import type { ApprovalId, TenantId } from "../../src/foundation/ids.ts";
import type { Mode } from "../../src/foundation/vocabulary.ts";
import { type ApprovalRequest, requestApproval } from "../../src/modules/approvals/approvals.ts";
import { openVault } from "../../src/vault/vault.ts";
import type { ApiResponse, useHarness } from "../harness.ts";
import type { SeedApp } from "../seeds.ts";

export interface ApprovalSeed extends Partial<Omit<ApprovalRequest, "summary">> {
  readonly mode?: Mode;
  readonly summary?: Partial<ApprovalRequest["summary"]>;
  /** Default: an hour. */
  readonly seconds?: number;
}

const SUMMARY = {
  title: "Add neon/postgres",
  amount: "20.00",
  currency: "usd",
  payee: "neon",
  reason: "the tests need a database",
  lineItems: [{ description: "Launch plan, a month", amount: "20.00" }],
  riskFlags: ["new_payee"],
} as const;

/** Requests an approval, as a spending does whose policy asks for one. */
export async function seedApproval(
  app: SeedApp & Pick<App, "settings">,
  tenantId: TenantId,
  { mode = "live", seconds = 3_600, summary, ...request }: ApprovalSeed = {},
): Promise<ApprovalId> {
  const agentId = request.agentId ?? null;
  const vault = await openVault(app, tenantId);
  const actor =
    agentId === null ? ({ type: "developer", id: tenantId } as const) : ({ type: "agent", id: agentId } as const);
  const { approvalId } = await withTransaction(app.db, tenantId, (tx) =>
    requestApproval(
      tx,
      { ...app, vault },
      {
        tenantId,
        mode,
        actor: { ...actor, key_id: null, ip: "192.0.2.1" },
        requestId: "req_1",
      },
      {
        subject: { type: "test_purchase", id: "tpu_1" },
        rules: [{ policyId: "pol_1", policyVersion: 3, ruleId: "big" }],
        expiresAt: new Date(app.clock.now().getTime() + seconds * 1_000),
        ...request,
        agentId,
        summary: { ...SUMMARY, ...summary },
      },
    ),
  );
  return approvalId;
}

/** Delivers the emails that are due. Returns the path of the page in the newest one to this developer. */
export async function approvalPathOf(harness: ReturnType<typeof useHarness>, tenantId: TenantId): Promise<string> {
  await harness.deliverMails();
  const mail = harness.mails.findLast(({ to }) => to === `${tenantId}@example.com`);
  return /http:\/\/purser\.test(\/approve\/[\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
}

/** Returns the status and the error code of a response. */
export function outcomeOf({ status, body }: ApiResponse): readonly [number, unknown] {
  return [status, body?.code];
}
