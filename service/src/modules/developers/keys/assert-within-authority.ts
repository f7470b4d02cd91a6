import { AppError } from "../../../foundation/errors.ts";
import { type AuthorityPart, authorityExcess, type KeyAuthority } from "./key-authority.ts";

/** The wire's names. */
const FIELDS: Readonly<Record<AuthorityPart, string>> = {
  mode: "mode",
  scopes: "scopes",
  agentIds: "agent_ids",
  projectIds: "project_ids",
  ipAllowlist: "ip_allowlist",
  rateLimitPerMinute: "rate_limit_per_minute",
  expiresAt: "expires_at",
};

/** Refuses to give somebody a key that may do what they may not: `insufficient_scope`, which names what goes too far. */
export function assertWithinAuthority(wanted: KeyAuthority, held: KeyAuthority): void {
  const excess = authorityExcess(wanted, held).map((part) => FIELDS[part]);
  if (excess.length === 0) return;
  throw new AppError("insufficient_scope", {
    detail: `No key gets anybody one that may do more than itself; this one would, by its ${excess.join(", ")}.`,
  });
}
