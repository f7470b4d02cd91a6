import type { VaultContext } from "../../../vault/open-vault.ts";

/** Where a service's secret stands in the tenant's vault. One that is moved to another row does not open there. */
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

/** Where the password stands that was made for a service before it was asked for. */
export function passwordContext(serviceId: string): VaultContext {
  return serviceSecretContext({ serviceId, kind: "password", version: 1 });
}
