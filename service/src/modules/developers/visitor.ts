import type { Actor } from "../../audit/append.ts";
import type { TenantId } from "../../foundation/ids.ts";

/** Whoever calls a public endpoint: nobody yet, from somewhere, with something. */
export interface Visitor {
  readonly network: string;
  /** At most 300 characters of what the client calls itself. */
  readonly userAgent: string | null;
  readonly requestId: string;
}

/** The visitor as the developer that they have turned out to be. Accounts have no mode; their entries stand with the live ones. */
export function actorFor({ network, requestId }: Visitor, tenantId: TenantId): Actor {
  const actor = { type: "developer", id: tenantId, key_id: null, ip: network } as const;
  return { tenantId, mode: "live", actor, requestId };
}
