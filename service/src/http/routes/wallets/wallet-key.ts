import type { FastifyRequest } from "fastify";
import type { WalletKey, WalletScope } from "../../../modules/wallets/queries.ts";
import { scopeOf } from "../../auth/principal.ts";
import { singleHeader } from "../../auth/request-headers.ts";
import { pathId } from "../../path-id.ts";

/**
 * Returns the filter for the wallets that the caller can reach: those of the agents that the key is bound to, and of the
 * agent in `X-Agent-ID` if there is one.
 */
export function walletScopeOf(request: FastifyRequest): WalletScope {
  const { tenantId, mode, agentIds: bound } = scopeOf(request);
  const named = singleHeader(request, "x-agent-id").toLowerCase();
  const own = bound.length === 0 ? null : bound;
  if (named === "") return { tenantId, mode, agentIds: own };
  const isReachable = own === null || own.includes(named);
  return { tenantId, mode, agentIds: isReachable ? [named] : [] };
}

/** Returns the id of the wallet in the path, with the caller's scope. Throws a 404 for a malformed id. */
export function walletKeyOf(request: FastifyRequest, walletId: string): WalletKey {
  return { ...walletScopeOf(request), walletId: pathId("wal", walletId) };
}
