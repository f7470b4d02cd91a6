import { randomBytes } from "node:crypto";
import type { App } from "../../app.ts";
import { withTransaction } from "../../db/transaction.ts";
import { invariant } from "../../foundation/invariant.ts";
import type { ProviderEnv, ServiceProvider } from "../../ports/service-provider.ts";
import { openVault, type TenantVault, type VaultContext } from "../../vault/vault.ts";
import { type ServiceKey, type ServiceSecret, serviceSecretVersionRows } from "./queries.ts";

type SecretsApp = Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults">;

interface ServiceSecretContext {
  readonly serviceId: string;
  readonly kind: ServiceSecret["kind"];
  readonly version: number;
}

/**
 * Returns the additional authenticated data (AAD) for a service's secret. A ciphertext copied to another row cannot be
 * decrypted.
 */
export function serviceSecretContext({ serviceId, kind, version }: ServiceSecretContext): VaultContext {
  return { kind: "service_secret", subject: serviceId, field: kind, version };
}

/**
 * Generates and encrypts a password for a version of the service's credentials. It is stored before the provider is
 * called, so every attempt sends the same password.
 */
export function newServicePassword(vault: TenantVault, serviceId: string, version: number): Buffer {
  const context = serviceSecretContext({ serviceId, kind: "password", version });
  return vault.seal(context, randomBytes(24).toString("base64url"));
}

/**
 * Decrypts the password that Purser generated for a version of a service's credentials. The password is sent to the
 * provider in the call that creates the resource or rotates its credentials. Returns an empty string if the provider
 * requires none.
 */
export async function openServicePassword(
  app: SecretsApp,
  { needsPassword }: ServiceProvider,
  service: ServiceKey,
  version: number,
): Promise<string> {
  return needsPassword ? (await openSecret(app, service, "password", version)).toString("utf8") : "";
}

/** Decrypts a stored version of the service's variables, to send them to the provider or to use them once. */
export async function openStoredEnv(app: SecretsApp, service: ServiceKey, version: number): Promise<ProviderEnv> {
  return JSON.parse((await openSecret(app, service, "env", version)).toString("utf8"));
}

async function openSecret(
  app: SecretsApp,
  { tenantId, serviceId }: ServiceKey,
  kind: ServiceSecret["kind"],
  version: number,
): Promise<Buffer> {
  const vault = await openVault(app, tenantId);
  const secret = await withTransaction(app.db, tenantId, (tx) =>
    serviceSecretVersionRows.find(tx, { tenantId, serviceId, kind, version }),
  );
  invariant(secret !== undefined, "a service that is added or rotated has its stored secrets");
  return vault.open(serviceSecretContext({ serviceId, kind, version }), secret.valueSealed);
}
