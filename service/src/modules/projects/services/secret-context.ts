import type { VaultContext } from "../../../vault/open-vault.ts";

/** The context that a service's secret is bound to when it is encrypted. A copy in another row cannot be decrypted. */
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

/** The context of the password that Purser generated for a new resource. */
export function passwordContext(serviceId: string): VaultContext {
  return serviceSecretContext({ serviceId, kind: "password", version: 1 });
}
