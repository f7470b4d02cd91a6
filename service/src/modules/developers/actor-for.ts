import type { Actor } from "../../audit/append.ts";
import type { TenantId } from "../../foundation/ids.ts";
import type { Visitor } from "../../foundation/visitor.ts";

/** The visitor as the developer that they have turned out to be. Accounts have no mode; their entries stand with the live ones. */
export function actorFor({ network, requestId }: Visitor, tenantId: TenantId): Actor {
  const actor = { type: "developer", id: tenantId, key_id: null, ip: network } as const;
  return { tenantId, mode: "live", actor, requestId };
}
