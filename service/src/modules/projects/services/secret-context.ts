import type { VaultContext } from "../../../vault/open-vault.ts";

/**
 * Returns the additional authenticated data (AAD) for a service's secret. A ciphertext copied to another row cannot be
 * decrypted.
 */
export function serviceSecretContext({
  serviceId,
  kind,
  version,
}: {
  readonly serviceId: string;
  readonly kind: "password" | "env";
  readonly version: number;
}): VaultContext {
  return { kind: "service_secret", subject: serviceId, field: kind, version };
}

/** Returns the additional authenticated data for a password that Purser generated for a version of the credentials. */
export function passwordContext(serviceId: string, version: number): VaultContext {
  return serviceSecretContext({ serviceId, kind: "password", version });
}
