import { randomUUID } from "node:crypto";
import type { Operation } from "./operation.ts";
import { row, wrong } from "./row.ts";
import { boundToAgent, withKey } from "./wrong-credentials.ts";

const RULES = [{ id: "payments", effect: "allow", operation: "payment" }];

const noScope = wrong("a key without the scope", 403, { as: withKey({ scopes: ["projects:read"] }) });
const changing = { wrong: [noScope, boundToAgent(403)] };

export const policyOperations: readonly Operation[] = [
  row("POST /policies", {
    ...changing,
    request: { body: { name: "Conformance", rules: RULES } },
    save: { policy_id: "policy_id" },
  }),
  row("GET /policies", { wrong: [noScope] }),
  row("GET /policies/{policy_id}", { wrong: [noScope, boundToAgent(404)] }),
  row("GET /policies/{policy_id}/versions/{version}", {
    ...changing,
    request: ({ recall }) => ({ path: `/policies/${recall("policy_id")}/versions/1` }),
  }),
  row("PATCH /policies/{policy_id}", { ...changing, request: { body: { name: "Changed" } } }),
  row("POST /policies/{policy_id}/rollback", { ...changing, request: { body: { version: 1 } } }),
  row("POST /policies/evaluate", {
    ...changing,
    request: { body: { operation: "payment", policy: { rules: RULES }, facts: { amount_usd: "1.00" } } },
  }),
  row("POST /policies/{policy_id}/backtest", { ...changing, request: { body: { agent_id: randomUUID() } } }),
  row("DELETE /policies/{policy_id}", changing),
];
