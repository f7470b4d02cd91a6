import { keyShapeOf } from "./provider-kinds.ts";
import type { ProviderKeys } from "./queries.ts";

/**
 * A set of keys as the wire and its events show it (contract, section 2), without the head of its audit chain. It stands
 * here and not at the edge because the event of a change carries it too.
 */
export function presentProviderKeys(keys: ProviderKeys) {
  return {
    provider: keys.provider,
    kind: keyShapeOf(keys.provider).kind,
    configured: true as const,
    mode: keys.mode,
    label: keys.label,
    fields_configured: [...keys.fieldsConfigured],
    version: keys.version,
    verification: {
      status: keys.verificationStatus,
      checked_at: keys.verificationCheckedAt?.toISOString() ?? null,
      detail: keys.verificationDetail,
    },
    expires_at: keys.expiresAt?.toISOString() ?? null,
    last_used_at: keys.lastUsedAt?.toISOString() ?? null,
    updated_at: keys.updatedAt.toISOString(),
    updated_by: keys.updatedBy,
  };
}
