import { AppError } from "../../../foundation/errors.ts";
import { isWithinNetwork, parseNetwork } from "../../../foundation/networks.ts";
import { snakeCase } from "../../../foundation/text.ts";
import { type Mode, SCOPES, type Scope } from "../../../foundation/vocabulary.ts";

/** The permissions of an API key. An empty list of agents, projects or networks means that there is no restriction. */
export interface KeyAuthority {
  readonly mode: Mode;
  readonly scopes: readonly Scope[];
  /** UUIDs in lowercase. */
  readonly agentIds: readonly string[];
  /** IDs of the tenant's projects in the key's mode. */
  readonly projectIds: readonly string[];
  /** CIDR networks in the format returned by `formatNetwork`. */
  readonly ipAllowlist: readonly string[];
  /** Null means the default limit for keys. */
  readonly rateLimitPerMinute: number | null;
  /** Null if the key never expires. */
  readonly expiresAt: Date | null;
}

export type AuthorityPart = keyof KeyAuthority;

/** The authority of a dashboard session: everything that the account can do. */
export const ACCOUNT_AUTHORITY: KeyAuthority = {
  mode: "live",
  scopes: SCOPES,
  agentIds: [],
  projectIds: [],
  ipAllowlist: [],
  rateLimitPerMinute: null,
  expiresAt: null,
};

/**
 * Returns the fields in which the requested authority exceeds the held one. If the result is empty, the requested
 * authority allows nothing that the held one does not. Operations that issue keys must reject requests for which the
 * result is not empty.
 */
export function authorityExcess(requested: KeyAuthority, held: KeyAuthority): AuthorityPart[] {
  const isWithin: Readonly<Record<AuthorityPart, boolean>> = {
    mode: held.mode === "live" || requested.mode === "test",
    scopes: requested.scopes.every((scope) => held.scopes.includes(scope)),
    agentIds: isBoundWithin(requested.agentIds, held.agentIds),
    projectIds: isBoundWithin(requested.projectIds, held.projectIds),
    ipAllowlist: isAllowlistWithin(requested.ipAllowlist, held.ipAllowlist),
    rateLimitPerMinute: isAtMost(requested.rateLimitPerMinute, held.rateLimitPerMinute),
    expiresAt: isAtMost(requested.expiresAt, held.expiresAt),
  };
  const parts = Object.keys(isWithin) as AuthorityPart[];
  return parts.filter((part) => !isWithin[part]);
}

function isBoundWithin(requested: readonly string[], held: readonly string[]): boolean {
  if (held.length === 0) return true;
  return requested.length > 0 && requested.every((id) => held.includes(id));
}

function isAllowlistWithin(requested: readonly string[], held: readonly string[]): boolean {
  if (held.length === 0) return true;
  return requested.length > 0 && requested.every((innerNetwork) => held.some(containsNetwork(innerNetwork)));
}

function containsNetwork(inner: string): (outer: string) => boolean {
  const innerNetwork = parseNetwork(inner);
  return (outer) => {
    const outerNetwork = parseNetwork(outer);
    return innerNetwork !== undefined && outerNetwork !== undefined && isWithinNetwork(innerNetwork, outerNetwork);
  };
}

/** Null means that there is no limit. */
function isAtMost<Value extends number | Date>(requested: Value | null, held: Value | null): boolean {
  if (held === null) return true;
  return requested !== null && requested <= held;
}

export function assertWithinAuthority(requested: KeyAuthority, held: KeyAuthority): void {
  const excess = authorityExcess(requested, held).map((part) => snakeCase(part));
  if (excess.length === 0) return;
  throw new AppError("insufficient_scope", {
    detail: `A key cannot have more permissions than the key or session that creates it. Reduce these fields: ${excess.join(", ")}.`,
  });
}
