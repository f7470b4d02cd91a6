import { randomUUID } from "node:crypto";
import { systemActor } from "@purser/service/audit/actors.ts";
import { withTransaction } from "@purser/service/db/transaction.ts";
import type { TenantId } from "@purser/service/foundation/ids.ts";
import { requestApproval } from "@purser/service/modules/approvals/request-approval.ts";
import { openVault } from "@purser/service/vault/open-vault.ts";
import { type Call, signedCaller } from "./callers.ts";
import { type ConformanceContext, text } from "./context.ts";
import { authenticatedOperation } from "./make-operations.ts";
import type { Operation } from "./operation.ts";

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

/** Creates a key that is bound to an agent and has the scope that deciding requires. */
async function boundCaller({ baseUrl, session }: ConformanceContext) {
  const pair = await session({
    method: "POST",
    path: "/developers/me/keys",
    headers: { "x-svc-mode": "live" },
    body: {
      name: "bound to an agent",
      scopes: ["approvals:read", "approvals:write"],
      agent_ids: [randomUUID()],
    },
  });
  return signedCaller(baseUrl, {
    apiKey: text(pair, "api_key"),
    apiSecret: text(pair, "api_secret"),
  });
}

const list = authenticatedOperation(
  "GET /approvals",
  "tenant",
  200,
  { method: "GET", path: "/approvals" },
  {
    save: (response, { saved }) => {
      saved.set("first approval", text(response, "data.0.approval_id"));
      saved.set("second approval", text(response, "data.1.approval_id"));
    },
  },
);

/** Decides with a session, because the demo developer's key lacks the scope `approvals:write`. */
function decision(name: "approve" | "deny", saved: string): Operation {
  const callTo = ({ recall }: ConformanceContext): Call => ({
    method: "POST",
    path: `/approvals/${recall(saved)}/${name}`,
  });
  const operation = authenticatedOperation(`POST /approvals/{approval_id}/${name}`, "tenant", 200, callTo, {
    moreWrongCalls: [
      {
        description: "a key without the scope",
        status: 403,
        call: (context) => context.live(callTo(context)),
      },
      {
        description: "a key that is bound to an agent",
        status: 403,
        call: async (context) => (await boundCaller(context))(callTo(context)),
      },
    ],
  });
  return {
    ...operation,
    call: (context) => context.session({ ...callTo(context), headers: { "x-svc-mode": "live" } }),
  };
}

export const approvalOperations: readonly Operation[] = [
  {
    ...list,
    call: async (context) => {
      await requestTestApproval(context);
      await requestTestApproval(context);
      return list.call(context);
    },
  },
  authenticatedOperation(
    "GET /approvals/{approval_id}",
    "tenant",
    200,
    ({ recall }) => ({ method: "GET", path: `/approvals/${recall("first approval")}` }),
    {
      moreWrongCalls: [
        {
          description: "a key that is bound to another agent",
          status: 404,
          call: async (context) =>
            (await boundCaller(context))({
              method: "GET",
              path: `/approvals/${context.recall("first approval")}`,
            }),
        },
      ],
    },
  ),
  decision("approve", "first approval"),
  decision("deny", "second approval"),
];
