import type { Actor } from "../../../audit/append.ts";
import type { ApiKey } from "./queries.ts";

/** The service itself, where it acts on a key without anybody's asking. */
export function serviceAs({ tenantId, mode }: Pick<ApiKey, "tenantId" | "mode">): Actor {
  const actor = { type: "system", id: "purser", key_id: null, ip: null } as const;
  return { tenantId, mode, actor, requestId: null };
}
