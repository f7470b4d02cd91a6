import type { FastifyRequest } from "fastify";
import { AppError, type ErrorCode } from "../foundation/errors.ts";
import { isId, isUuid } from "../foundation/ids.ts";
import type { ScopedAgentKey } from "../modules/agents/queries.ts";
import type { PolicyKey } from "../modules/policies/queries.ts";
import { scopeOf } from "./auth/principal.ts";

/** The error code for an unknown id, by the id's prefix. */
const NOT_FOUND = {
  apr: "approval_not_found",
  ba: "fiat_account_not_found",
  conv: "conversion_not_found",
  dev: "developer_not_found",
  evt: "event_not_found",
  kill: "kill_switch_not_found",
  lnk: "link_not_found",
  op: "operation_not_found",
  pay: "payment_not_found",
  pol: "policy_not_found",
  proj: "project_not_found",
  srv: "service_not_found",
  wal: "wallet_not_found",
  wh: "webhook_not_found",
} as const satisfies Readonly<Record<string, ErrorCode>>;

/** Returns the id from a path parameter. A malformed id throws the same 404 as an unknown one. */
export function pathId<Prefix extends keyof typeof NOT_FOUND>(prefix: Prefix, text: string): `${Prefix}_${string}` {
  if (isId(prefix, text)) return text;
  throw new AppError(NOT_FOUND[prefix], { internal: `malformed ${prefix} id` });
}

/**
 * Returns the id of the agent in the path in lowercase, together with the filter for the rows that the caller can read.
 * Throws a 404 for a malformed id.
 */
export function agentKeyOf(request: FastifyRequest, agentId: string): ScopedAgentKey {
  if (!isUuid(agentId)) throw new AppError("agent_not_found", { internal: "malformed agent id" });
  return { ...scopeOf(request), agentId: agentId.toLowerCase() };
}

/** Returns the id of the policy in the path, together with the filter for the rows that the caller can read. */
export function policyKeyOf(request: FastifyRequest, policyId: string): PolicyKey {
  return { ...scopeOf(request), policyId: pathId("pol", policyId) };
}
