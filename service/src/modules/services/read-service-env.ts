import type { App } from "../../app.ts";
import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { invariant } from "../../foundation/invariant.ts";
import { openVault } from "../../vault/open-vault.ts";
import { findServiceSecret, type Service } from "./queries.ts";
import { fingerprintOf, openServiceEnv, toProjectNames } from "./service-env.ts";

export interface ServiceEnv {
  /** The plaintext values by name. Use them only in the response; never store or log them. */
  readonly env: Readonly<Record<string, string>>;
  readonly fingerprint: string;
}

/**
 * Decrypts the variables of a new service for the caller that added it. The audit entry is committed before the values
 * are returned. `authorize` throws if the caller must not read them.
 */
export async function readServiceEnv(
  app: Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults">,
  actor: Actor,
  service: Service,
  authorize: (tx: Tx) => Promise<void>,
): Promise<ServiceEnv> {
  const { tenantId, serviceId, credentialVersion: version } = service;
  const vault = await openVault(app, tenantId);
  return withTransaction(app.db, tenantId, async (tx) => {
    await authorize(tx);
    const secret = await findServiceSecret(tx, { tenantId, serviceId, kind: "env", version });
    invariant(secret !== undefined, "an active service has stored credentials");
    const { valueSealed } = secret;
    const env = toProjectNames(service, openServiceEnv(vault, { serviceId, version, valueSealed }));
    await appendAuditEntry(tx, actor, {
      action: "env.pulled",
      subject: { type: "service", id: serviceId },
      facts: { project_id: service.projectId, count: Object.keys(env).length, by: "service.add" },
      occurredAt: app.clock.now(),
    });
    return { env, fingerprint: fingerprintOf(env) };
  });
}
