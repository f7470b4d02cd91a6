import { randomUUID } from "node:crypto";
import { type Call, type Caller, signedCaller } from "./callers.ts";
import { type ConformanceContext, text } from "./context.ts";
import { authenticatedOperation } from "./make-operations.ts";
import type { Operation, WrongCall } from "./operation.ts";
import { type CallOf, callOf } from "./wrong-credentials.ts";

const RULES = [{ id: "payments", effect: "allow", operation: "payment" }];
const AGENT_ID = randomUUID();

async function callerWith({ baseUrl, live }: ConformanceContext, key: object): Promise<Caller> {
  const body = { name: "policies", ...key };
  const pair = await live({ method: "POST", path: "/developers/me/keys", body });
  return signedCaller(baseUrl, {
    apiKey: text(pair, "api_key"),
    apiSecret: text(pair, "api_secret"),
  });
}

/** The calls with a key that is bound to an agent without this policy, and with a key without the scope. */
function wrongKeys(call: CallOf, boundStatus: 403 | 404 | null): WrongCall[] {
  const wrong = (description: string, status: number, key: object) => ({
    description,
    status,
    call: async (context: ConformanceContext) => (await callerWith(context, key))(callOf(call, context)),
  });
  return [
    wrong("a key without the scope", 403, { scopes: ["projects:read"] }),
    ...(boundStatus === null ? [] : [wrong("a key that is bound to an agent", boundStatus, { agent_ids: [AGENT_ID] })]),
  ];
}

function row(
  name: Operation["name"],
  status: number,
  {
    body,
    boundStatus = 403,
    saves = false,
  }: {
    readonly body?: object;
    /** The status for a key that is bound to an agent. Null: the call succeeds. */
    readonly boundStatus?: 403 | 404 | null;
    readonly saves?: boolean;
  } = {},
): Operation {
  const [method, path = ""] = name.split(" ") as [Call["method"], string];
  const call = ({ recall }: ConformanceContext): Call => ({
    method,
    path: path.replace("{policy_id}", recall("policy_id")),
    ...(body !== undefined && { body }),
  });
  return authenticatedOperation(name, "tenant", status, call, {
    moreWrongCalls: wrongKeys(call, boundStatus),
    save: (response, { saved }) => {
      if (saves) saved.set("policy_id", text(response, "policy_id"));
    },
  });
}

export const policyOperations: readonly Operation[] = [
  row("POST /policies", 201, { body: { name: "Conformance", rules: RULES }, saves: true }),
  row("GET /policies", 200, { boundStatus: null }),
  row("GET /policies/{policy_id}", 200, { boundStatus: 404 }),
  row("PATCH /policies/{policy_id}", 200, { body: { name: "Changed" } }),
  row("POST /policies/{policy_id}/rollback", 200, { body: { version: 1 } }),
  row("POST /policies/evaluate", 200, {
    body: { operation: "payment", policy: { rules: RULES }, facts: { amount_usd: "1.00" } },
  }),
  row("POST /policies/{policy_id}/backtest", 200, { body: { agent_id: AGENT_ID } }),
  row("DELETE /policies/{policy_id}", 204),
];
