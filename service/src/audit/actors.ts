import { type AdminId, type ApiKeyId, OPERATOR_TENANT, type TenantId } from "../foundation/ids.ts";
import type { Mode } from "../foundation/vocabulary.ts";
import type { Actor } from "./append.ts";

/** An audit entry's tenant and mode. Entries about accounts and admins are stored with the mode `live`. */
interface AuditScope {
  readonly tenantId: TenantId;
  readonly mode?: Mode | null;
}

interface ClientRequest {
  readonly network: string;
  readonly requestId: string;
}

/** Returns the actor for a client that uses the developer's API key, session or one-time URL. */
export function developerActor(
  { tenantId, mode }: AuditScope,
  {
    network,
    requestId,
    keyId = null,
    sessionId,
  }: ClientRequest & { readonly keyId?: ApiKeyId | null; readonly sessionId?: string },
): Actor {
  return {
    tenantId,
    mode: mode ?? "live",
    actor: { type: "developer", id: tenantId, key_id: keyId, ip: network },
    requestId,
    ...(sessionId === undefined ? {} : { sessionId }),
  };
}

/** Returns the actor for an admin's changes that are recorded in the operators' audit trail. */
export function adminActor(adminId: AdminId, { network, requestId }: ClientRequest): Actor {
  const actor = { type: "admin", id: adminId, key_id: null, ip: network } as const;
  return { tenantId: OPERATOR_TENANT, mode: "live", actor, requestId };
}

/**
 * Returns the actor for an admin's changes that are recorded in a developer's audit trail. Omits the admin's IP, which
 * developers must not see.
 */
export function adminActorInTenant(
  { tenantId, mode }: AuditScope,
  { adminId, requestId }: { readonly adminId: AdminId; readonly requestId: string },
): Actor {
  const actor = { type: "admin", id: adminId, key_id: null, ip: null } as const;
  return { tenantId, mode: mode ?? "live", actor, requestId };
}

/**
 * Returns the actor to store with an operation. The operation's workflow later writes audit entries as this actor. The
 * session is omitted, because audit entries do not contain it.
 */
export function operationActor({ tenantId, mode, actor, requestId }: Actor): Actor {
  return { tenantId, mode, actor, requestId };
}

/** Returns the actor for changes that Purser makes itself. */
export function systemActor({ tenantId, mode }: AuditScope): Actor {
  return { tenantId, mode: mode ?? "live", actor: systemId("purser"), requestId: null };
}

/** Returns the actor for a command-line program's changes. They are recorded in the operators' audit trail. */
export function commandLineActor(): Actor {
  const actor = systemId("command-line");
  return { tenantId: OPERATOR_TENANT, mode: "live", actor, requestId: null };
}

function systemId(id: string): Actor["actor"] {
  return { type: "system", id, key_id: null, ip: null };
}
