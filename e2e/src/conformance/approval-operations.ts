import { randomUUID } from "node:crypto";
import { systemActor } from "@purser/service/audit/actors.ts";
import { withTransaction } from "@purser/service/db/transaction.ts";
import type { TenantId } from "@purser/service/foundation/ids.ts";
import { requestApproval } from "@purser/service/modules/approvals/approvals.ts";
import { openVault } from "@purser/service/vault/vault.ts";
import { type ConformanceContext, text } from "./context.ts";
import type { Operation } from "./operation.ts";
import { row, wrong } from "./row.ts";
import { boundToAgent, sessionInLiveMode } from "./wrong-credentials.ts";

const HOUR_MS = 3_600_000;

/** Requests an approval of the demo developer, and returns its id. */
async function requestTestApproval({ app, live }: ConformanceContext): Promise<string> {
  const developer = await live({ method: "GET", path: "/developers/me" });
  const tenantId = text(developer, "developer_id") as TenantId;
  const vault = await openVault(app, tenantId);
  const { approvalId } = await withTransaction(app.db, tenantId, (tx) =>
    requestApproval(tx, { ...app, vault }, systemActor({ tenantId, mode: "live" }), {
      subject: { type: "conformance", id: randomUUID() },
      agentId: null,
      summary: {
        title: "Conformance",
        amount: "1.00",
        currency: "usd",
        payee: "Neon",
        reason: null,
        lineItems: [],
        riskFlags: [],
      },
      rules: [{ policyId: null, policyVersion: null, ruleId: "conformance" }],
      expiresAt: new Date(app.clock.now().getTime() + HOUR_MS),
    }),
  );
  return approvalId;
}

const bound = (status: number) => boundToAgent(status, { scopes: ["approvals:read", "approvals:write"] });

/** Decides with a session, because the demo developer's key lacks the scope `approvals:write`. */
const decision = (saved: string, verb: "approve" | "deny") =>
  row(`POST /approvals/{approval_id}/${verb}`, {
    as: sessionInLiveMode,
    request: ({ recall }) => ({
      path: `/approvals/${recall(saved)}/${verb}`,
      body: { note: "As agreed with the provider" },
    }),
    wrong: [wrong("a key without the scope", 403, { as: ({ live }) => live }), bound(403)],
  });

export const approvalOperations: readonly Operation[] = [
  row("GET /approvals", {
    before: async (context) => {
      await requestTestApproval(context);
      await requestTestApproval(context);
    },
    save: { approval_id: "data.0.approval_id", "second approval": "data.1.approval_id" },
  }),
  row("GET /approvals/{approval_id}", { wrong: [bound(404)] }),
  decision("approval_id", "approve"),
  decision("second approval", "deny"),
];
