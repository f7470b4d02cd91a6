import { randomBytes } from "node:crypto";
import type { App } from "../../app.ts";
import { sha256Hex } from "../../crypto/signing.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { canonicalJson } from "../../foundation/canonical-json.ts";
import { AppError } from "../../foundation/errors.ts";
import type { ServiceId } from "../../foundation/ids.ts";
import { invariant } from "../../foundation/invariant.ts";
import { caselessName, isReservedName, VARIABLE_NAME_PATTERN } from "../../foundation/variable-names.ts";
import type { ProviderEnv, ServiceProvider } from "../../ports/service-provider.ts";
import { openVault, type TenantVault, type VaultContext } from "../../vault/vault.ts";
import type { FoundProject } from "../projects/queries.ts";
import {
  measureLargestBundle,
  type Service,
  type ServiceKey,
  type ServiceSecret,
  serviceSecretVersionRows,
} from "./queries.ts";

/**
 * Maximum length of the service's name at the start of a variable name. A variable name then has at most 128
 * characters, including an `env_prefix` (32), the longest catalog name (50) and a number.
 */
const LOCAL_PREFIX_MAX = 40;
const NAME_FORM = new RegExp(VARIABLE_NAME_PATTERN);

/** A service that already has variable names in the project. */
type NamedService = Pick<Service, "environments" | "envNames">;

/**
 * Maps the provider's variable names to the service's variable names in the project. Call it once, when the service is
 * added, with the project locked. The names never change. Otherwise, an existing service could take over the variable
 * name of a removed service, and a running program could connect to the wrong database.
 *
 * The default name is `<env_prefix>NAME`, or `NAME` without a prefix. If another service already uses the default name
 * in one of the environments, the new service's own name is put in front: `DATABASE_URL` of `primary-db` becomes
 * `PRIMARY_DB_DATABASE_URL`.
 *
 * A service's variable can have the same name as a project variable. The project variable then hides the service's
 * variable until the project variable is deleted.
 */
export function nameServiceEnv(
  service: Pick<Service, "name" | "envPrefix" | "environments">,
  { providerNames, others }: { readonly providerNames: readonly string[]; readonly others: readonly NamedService[] },
): Readonly<Record<string, string>> {
  const neighbours = others.filter(({ environments }) =>
    environments.some((name) => service.environments.includes(name)),
  );
  const taken = new Set(neighbours.flatMap(({ envNames }) => Object.values(envNames).map(caselessName)));
  const names = new Map<string, string>();
  for (const providerName of providerNames) {
    const name = freeName(service, providerName, taken);
    taken.add(caselessName(name));
    names.set(providerName, name);
  }
  return Object.fromEntries(names);
}

/** Returns true if every name with this prefix is a valid variable name and not reserved. */
export function isUsablePrefix(envPrefix: string, providerNames: readonly string[]): boolean {
  return providerNames.every((providerName) => isUsable(envPrefix + providerName));
}

/** Returns the name that the variable has unless an older service already uses it. */
export function defaultName({ envPrefix }: Pick<Service, "envPrefix">, providerName: string): string {
  return (envPrefix ?? "") + providerName;
}

function isUsable(name: string): boolean {
  return NAME_FORM.test(name) && !isReservedName(name);
}

function freeName(
  service: Pick<Service, "name" | "envPrefix">,
  providerName: string,
  taken: ReadonlySet<string>,
): string {
  const preferred = defaultName(service, providerName);
  if (isUsable(preferred) && !taken.has(caselessName(preferred))) return preferred;
  const joined = joinWords(prefixOf(service.name), preferred);
  // Some service names would result in a reserved variable name (`git`) or an invalid one (`2nd`). In these cases the
  // variable name starts with an underscore.
  const base = [joined, `${joined}_2`].every(isUsable) ? joined : `_${joined}`;
  let name = base;
  for (let count = 2; taken.has(caselessName(name)); count += 1) name = `${base}_${count}`;
  return name;
}

/** Converts `primary-db` to `PRIMARY_DB`. */
function prefixOf(localName: string): string {
  const words = localName.toUpperCase().match(/[A-Z0-9]+/g) ?? ["SERVICE"];
  return words.join("_").slice(0, LOCAL_PREFIX_MAX).replace(/_$/, "");
}

/** Joins prefix and name without repeating shared words: `FIRECRAWL_API` and `API_KEY` become `FIRECRAWL_API_KEY`. */
function joinWords(prefix: string, name: string): string {
  const head = prefix.split("_");
  const tail = name.split("_");
  const shared = tail.findLastIndex((_, last) => `_${prefix}`.endsWith(`_${tail.slice(0, last + 1).join("_")}`));
  return [...head, ...tail.slice(shared + 1)].join("_");
}

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

const BUNDLE_BYTES_MAX = 1024n * 1024n;

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
