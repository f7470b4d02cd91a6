import { sha256Hex } from "../../../crypto/signing.ts";
import { canonicalJson } from "../../../foundation/canonical-json.ts";
import type { ServiceId } from "../../../foundation/ids.ts";
import type { ProviderEnv } from "../../../ports/service-provider.ts";
import type { TenantVault } from "../../../vault/open-vault.ts";
import type { Service } from "./queries.ts";
import { serviceSecretContext } from "./secret-context.ts";

const VALUE_BYTES_MAX = 32 * 1024;

/** One version of what a service's programs need, as it is stored. */
interface EnvVersion {
  readonly serviceId: ServiceId;
  readonly version: number;
}

/** Seals what the provider gave, under its own names. */
export function sealServiceEnv(
  vault: TenantVault,
  { serviceId, version }: EnvVersion,
  env: ProviderEnv,
): Buffer {
  return vault.seal(serviceSecretContext({ serviceId, kind: "env", version }), canonicalJson(env));
}

/** Opens what `sealServiceEnv` sealed. Throws EnvelopeError where the bytes were changed or belong elsewhere. */
export function openServiceEnv(
  vault: TenantVault,
  { serviceId, version, valueSealed }: EnvVersion & { readonly valueSealed: Buffer },
): ProviderEnv {
  const context = serviceSecretContext({ serviceId, kind: "env", version });
  return JSON.parse(vault.open(context, valueSealed).toString("utf8"));
}

/** The values under the names that they have in the project. What has no name there stays away. */
export function toProjectNames(
  { envNames }: Pick<Service, "envNames">,
  env: ProviderEnv,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([providerName, value]) =>
      Object.hasOwn(envNames, providerName) ? [[envNames[providerName], value]] : [],
    ),
  );
}

/** Lower-case hex SHA-256 of the canonical JSON of the values by name. */
export function fingerprintOf(env: Readonly<Record<string, string>>): string {
  return sha256Hex(canonicalJson(env));
}

/**
 * Why what a provider gave cannot be stored, for the log: other names than were promised, or a value that no environment can
 * hold. Undefined where it can. Names no value.
 */
export function serviceEnvProblem(
  { envNames }: Pick<Service, "envNames">,
  env: ProviderEnv,
): string | undefined {
  const missing = Object.keys(envNames).find((name) => !Object.hasOwn(env, name));
  if (missing !== undefined) return `${missing} is missing`;
  if (Object.keys(env).length > Object.keys(envNames).length)
    return "more names than the catalog's";
  const [unusable] = Object.entries(env).find(([, value]) => !isStorable(value)) ?? [];
  return unusable === undefined ? undefined : `${unusable} is too long, or no text`;
}

function isStorable(value: string): boolean {
  const isText = value.isWellFormed() && !value.includes("\0");
  return isText && Buffer.byteLength(value) <= VALUE_BYTES_MAX;
}
