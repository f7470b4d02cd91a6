import { isWithinNetwork, parseNetwork } from "../../../foundation/networks.ts";
import { type Mode, SCOPES, type Scope } from "../../../foundation/vocabulary.ts";

/** All that a key lets its holder do. In the lists of what it is bound to, none means that it is not bound. */
export interface KeyAuthority {
  readonly mode: Mode;
  readonly scopes: readonly Scope[];
  readonly agentIds: readonly string[];
  readonly projectIds: readonly string[];
  /** CIDR. */
  readonly ipAllowlist: readonly string[];
  readonly rateLimitPerMinute: number | null;
  readonly expiresAt: Date | null;
}

export type AuthorityPart = keyof KeyAuthority;

/** What somebody may do who has signed in as the account's owner: there is nothing beyond it. */
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
 * The parts in which one authority goes beyond another. None: whoever holds the second gains nothing by the first. It is
 * what keeps every credential from making, or getting, one that is stronger than itself.
 */
export function authorityExcess(wanted: KeyAuthority, held: KeyAuthority): AuthorityPart[] {
  const isWithin: Readonly<Record<AuthorityPart, boolean>> = {
    mode: held.mode === "live" || wanted.mode === "test",
    scopes: wanted.scopes.every((scope) => held.scopes.includes(scope)),
    agentIds: isBoundWithin(wanted.agentIds, held.agentIds),
    projectIds: isBoundWithin(wanted.projectIds, held.projectIds),
    ipAllowlist: isAllowlistWithin(wanted.ipAllowlist, held.ipAllowlist),
    rateLimitPerMinute: isAtMost(wanted.rateLimitPerMinute, held.rateLimitPerMinute),
    expiresAt: isAtMost(wanted.expiresAt, held.expiresAt),
  };
  const parts = Object.keys(isWithin) as AuthorityPart[];
  return parts.filter((part) => !isWithin[part]);
}

function isBoundWithin(wanted: readonly string[], held: readonly string[]): boolean {
  if (held.length === 0) return true;
  return wanted.length > 0 && wanted.every((id) => held.includes(id));
}

function isAllowlistWithin(wanted: readonly string[], held: readonly string[]): boolean {
  if (held.length === 0) return true;
  return wanted.length > 0 && wanted.every((network) => held.some(isAround(network)));
}

function isAround(inner: string): (outer: string) => boolean {
  const network = parseNetwork(inner);
  return (outer) => {
    const around = parseNetwork(outer);
    return network !== undefined && around !== undefined && isWithinNetwork(network, around);
  };
}

/** Null is no bound. */
function isAtMost<Value extends number | Date>(wanted: Value | null, held: Value | null): boolean {
  if (held === null) return true;
  return wanted !== null && wanted <= held;
}
