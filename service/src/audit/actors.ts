import { type AdminId, type ApiKeyId, OPERATOR_TENANT, type TenantId } from "../foundation/ids.ts";
import type { Mode } from "../foundation/vocabulary.ts";
import type { Actor } from "./append.ts";

/** The tenant and mode of an entry. Entries about accounts and admins have no mode and are stored as `live`. */
interface AuditScope {
  readonly tenantId: TenantId;
  readonly mode?: Mode | null;
}

interface ClientRequest {
  readonly network: string;
  readonly requestId: string;
}

/** A client with a credential of the developer: an API key, a session or a one-time URL. */
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

/** An admin, for an entry in the operators' audit trail. */
export function adminActor(adminId: AdminId, { network, requestId }: ClientRequest): Actor {
  const actor = { type: "admin", id: adminId, key_id: null, ip: network } as const;
  return { tenantId: OPERATOR_TENANT, mode: "live", actor, requestId };
}

/** An admin, for an entry in a developer's audit trail. Without the admin's address, which only operators may see. */
export function adminActorInTenant(
  { tenantId }: AuditScope,
  { adminId, requestId }: { readonly adminId: AdminId; readonly requestId: string },
): Actor {
  const actor = { type: "admin", id: adminId, key_id: null, ip: null } as const;
  return { tenantId, mode: "live", actor, requestId };
}

/** The actor of an operation's row. The operation's workflow writes its audit entries as this actor. */
export function operationActor({ tenantId, mode, actor, requestId }: Actor): Actor {
  return { tenantId, mode, actor, requestId };
}

/** Purser itself. */
export function systemActor({ tenantId, mode }: AuditScope): Actor {
  return { tenantId, mode: mode ?? "live", actor: systemId("purser"), requestId: null };
}

/** A command-line program on the server, for an entry in the operators' audit trail. */
export function commandLineActor(): Actor {
  const actor = systemId("command-line");
  return { tenantId: OPERATOR_TENANT, mode: "live", actor, requestId: null };
}

function systemId(id: string): Actor["actor"] {
  return { type: "system", id, key_id: null, ip: null };
}
