import { type AdminId, type ApiKeyId, OPERATOR_TENANT, type TenantId } from "../foundation/ids.ts";
import type { Mode } from "../foundation/vocabulary.ts";
import type { Actor } from "./append.ts";

/** Whose trail an entry stands in. Accounts and admins have no mode: their entries stand with the live ones. */
interface Trail {
  readonly tenantId: TenantId;
  readonly mode?: Mode | null;
}

interface ClientRequest {
  readonly network: string;
  readonly requestId: string;
}

/** A developer, or a client that holds something only the developer was given: an API key, a session, a one-time address. */
export function developerActor(
  { tenantId, mode }: Trail,
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

/** An admin in the operators' own trail. */
export function adminActor(adminId: AdminId, { network, requestId }: ClientRequest): Actor {
  const actor = { type: "admin", id: adminId, key_id: null, ip: network } as const;
  return { tenantId: OPERATOR_TENANT, mode: "live", actor, requestId };
}

/** An admin in a developer's trail, which does not record the admin's address: the operators' own trail does. */
export function adminActorInTenant(
  { tenantId }: Trail,
  { adminId, requestId }: { readonly adminId: AdminId; readonly requestId: string },
): Actor {
  const actor = { type: "admin", id: adminId, key_id: null, ip: null } as const;
  return { tenantId, mode: "live", actor, requestId };
}

/** The actor of an operation's row. The operation's workflow writes its audit entries as this actor. */
export function operationActor({ tenantId, mode, actor, requestId }: Actor): Actor {
  return { tenantId, mode, actor, requestId };
}

/** The service itself. */
export function systemActor({ tenantId, mode }: Trail): Actor {
  return { tenantId, mode: mode ?? "live", actor: systemId("purser"), requestId: null };
}

/** A command on the machine itself, in the operators' own trail. */
export function commandLineActor(): Actor {
  const actor = systemId("command-line");
  return { tenantId: OPERATOR_TENANT, mode: "live", actor, requestId: null };
}

function systemId(id: string): Actor["actor"] {
  return { type: "system", id, key_id: null, ip: null };
}
