import { sha256Hex } from "../../crypto/signing.ts";
import type { Tx } from "../../db/database.ts";
import { canonicalJson } from "../../foundation/canonical-json.ts";
import { AppError } from "../../foundation/errors.ts";
import type { ServiceId } from "../../foundation/ids.ts";
import { isReservedName } from "../../foundation/variable-names.ts";
import type { ProviderEnv } from "../../ports/service-provider.ts";
import type { TenantVault } from "../../vault/vault.ts";
import type { FoundProject } from "../projects/queries.ts";
import { measureLargestBundle, type Service } from "./queries.ts";
import { serviceSecretContext } from "./service-secrets.ts";

const BUNDLE_BYTES_MAX = 1024n * 1024n;

const VALUE_BYTES_MAX = 32 * 1024;

/** The limits for a service whose catalog entry does not contain its variables. */
const NAMES_MAX = 20;

const OPEN_NAME_FORM = /^[A-Z_][A-Z0-9_]{0,49}$/;

/** Identifies one stored version of a service's variables. */
interface EnvVersion {
  readonly serviceId: ServiceId;
  readonly version: number;
}

/** Encrypts a service's variables. `env` has the provider's variable names, not the names in the project. */
export function sealServiceEnv(vault: TenantVault, { serviceId, version }: EnvVersion, env: ProviderEnv): Buffer {
  return vault.seal(serviceSecretContext({ serviceId, kind: "env", version }), canonicalJson(env));
}

/** Decrypts the result of `sealServiceEnv`. Throws EnvelopeError if the bytes were changed or moved to another row. */
export function openServiceEnv(
  vault: TenantVault,
  { serviceId, version, valueSealed }: EnvVersion & { readonly valueSealed: Buffer },
): ProviderEnv {
  const context = serviceSecretContext({ serviceId, kind: "env", version });
  return JSON.parse(vault.open(context, valueSealed).toString("utf8"));
}

/**
 * Replaces the provider's variable names with the names in the project. Variables without a name in the project are
 * omitted.
 */
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

/** Returns the SHA-256 of the canonical JSON of `env`, in lowercase hexadecimal. */
export function fingerprintOf(env: Readonly<Record<string, string>>): string {
  return sha256Hex(canonicalJson(env));
}

/**
 * Returns why a provider's variables cannot be stored: the names differ from the service's, or a value is too long or not
 * valid text. Undefined if they can be stored. A service without names, because its catalog entry contains none, accepts
 * names that are not reserved. The result is logged, so it never contains a value.
 */
export function serviceEnvProblem({ envNames }: Pick<Service, "envNames">, env: ProviderEnv): string | undefined {
  const [unusable] = Object.entries(env).find(([, value]) => !isStorable(value)) ?? [];
  if (unusable !== undefined) return `${unusable} is too long or not text`;
  if (Object.keys(envNames).length === 0) return openNamesProblem(Object.keys(env));
  const missing = Object.keys(envNames).find((name) => !Object.hasOwn(env, name));
  if (missing !== undefined) return `${missing} is missing`;
  const isMore = Object.keys(env).length > Object.keys(envNames).length;
  return isMore ? "more names than in the catalog" : undefined;
}

function openNamesProblem(names: readonly string[]): string | undefined {
  if (names.length === 0 || names.length > NAMES_MAX) return `there are ${names.length} variables`;
  const isRefused = names.some((name) => !OPEN_NAME_FORM.test(name) || isReservedName(name));
  return isRefused ? "a name is invalid or reserved" : undefined;
}

function isStorable(value: string): boolean {
  const isText = value.isWellFormed() && !value.includes("\0");
  return isText && Buffer.byteLength(value) <= VALUE_BYTES_MAX;
}

/**
 * Throws `conflict` if one of the project's env bundles is larger than 1 MiB. Call it after storing the new variables,
 * in the transaction that locked the project. `expectedBytes` is added for variables that will be stored later.
 */
export async function throwIfBundleTooLarge(tx: Tx, project: FoundProject, expectedBytes = 0n): Promise<void> {
  const bytes = await measureLargestBundle(tx, project);
  if (bytes + expectedBytes <= BUNDLE_BYTES_MAX) return;
  throw new AppError("conflict", {
    detail:
      "An environment can have at most 1 MiB of variables, including those of its services. Delete variables first, or set large ones in fewer environments.",
  });
}
