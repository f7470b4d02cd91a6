import { AppError } from "../../../foundation/errors.ts";
import { type AuthorityPart, authorityExcess, type KeyAuthority } from "./key-authority.ts";

/** The API field for each part of a key's authority. */
const FIELDS: Readonly<Record<AuthorityPart, string>> = {
  mode: "mode",
  scopes: "scopes",
  agentIds: "agent_ids",
  projectIds: "project_ids",
  ipAllowlist: "ip_allowlist",
  rateLimitPerMinute: "rate_limit_per_minute",
  expiresAt: "expires_at",
};

/**
 * Throws `insufficient_scope` if a new or rotated key would have more authority than the caller. The error detail lists
 * the fields that exceed the caller's authority.
 */
export function assertWithinAuthority(requested: KeyAuthority, held: KeyAuthority): void {
  const excess = authorityExcess(requested, held).map((part) => FIELDS[part]);
  if (excess.length === 0) return;
  throw new AppError("insufficient_scope", {
    detail: `A key cannot have more permissions than the key or session that creates it. Reduce these fields: ${excess.join(", ")}.`,
  });
}
