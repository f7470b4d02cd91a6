import type { TenantId } from "../foundation/ids.ts";
import type { Mode } from "../foundation/vocabulary.ts";
import type { Actor } from "./append.ts";

/** Who did it, where the service did it by itself. */
export function serviceAs({
  tenantId,
  mode,
}: {
  readonly tenantId: TenantId;
  readonly mode: Mode;
}): Actor {
  const actor = { type: "system", id: "purser", key_id: null, ip: null } as const;
  return { tenantId, mode, actor, requestId: null };
}
