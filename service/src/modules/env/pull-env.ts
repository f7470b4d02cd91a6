import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { recordEntryAndEvent } from "../../events/events.ts";
import { AppError, invalidField } from "../../foundation/errors.ts";
import { type AuditId, isId, type ProjectId } from "../../foundation/ids.ts";
import { invariant } from "../../foundation/invariant.ts";
import { mustBeOneOf } from "../../foundation/schema-violations.ts";
import { caselessName } from "../../foundation/variable-names.ts";
import { openVault, type TenantVault } from "../../vault/vault.ts";
import type { ProjectKey } from "../projects/queries.ts";
import { saveCredentialPulls } from "../services/rotation/queries.ts";
import { fingerprintOf, openServiceEnv } from "../services/service-env.ts";
import { assembleEnv, type PulledVariable, type ServiceContribution } from "./assemble-env.ts";
import { readSealedBundle, type SealedBundle, type SealedServiceEnv, type SealedVariable } from "./bundle/queries.ts";
import { throwIfNotOnOneLine, unportableNames } from "./bundle/unportable-values.ts";
import { variableContext } from "./variables/variables.ts";

/**
 * A bundle up to this size is read in one query. For a larger bundle, a second query reads the contents after `onSize`
 * has accepted the size.
 */
const SMALL_BUNDLE_BYTES = 16 * 1024;

export const ENV_FORMATS = ["json", "dotenv", "docker"] as const;
export type EnvFormat = (typeof ENV_FORMATS)[number];

export interface PullEnv {
  readonly actor: Actor;
  readonly key: ProjectKey;
  /** Defaults to `development`, or to the project's first environment if there is no `development`. */
  readonly environment: string | undefined;
  /** The variables to return, or undefined for all. */
  readonly names: readonly string[] | undefined;
  readonly format: EnvFormat;
  readonly namesOnly: boolean;
  /** The entity tags of the bundles that the caller already has, including quotes. `*` matches every bundle. */
  readonly knownTags: readonly string[];
  /** Called with the approximate response size before any value is decrypted. Throws to reject the request. */
  readonly onSize: (bytes: number) => void;
  /** Called before any value is decrypted. Throws if the caller must not read the project's variables. */
  readonly authorize: (tx: Tx) => Promise<void>;
}

export interface PulledEnv {
  readonly projectId: ProjectId;
  readonly environment: string;
  readonly version: number;
  /** The plaintext values by name, sorted by name. Use them only in the response; never store or log them. */
  readonly env: Readonly<Record<string, string>>;
  /** Sorted by name. */
  readonly variables: readonly PulledVariable[];
  /**
   * Human-readable messages about service variables that are renamed, hidden by another variable with the same name, or of
   * a resource that the provider does not have any more.
   */
  readonly warnings: readonly string[];
  /** Names of the values that some readers of `.env` files read otherwise. Sorted. */
  readonly unportableNames: readonly string[];
  /** Requested names that are not set. */
  readonly missingNames: readonly string[];
  /** SHA-256 of the canonical JSON of `env`, in lowercase hexadecimal. */
  readonly fingerprint: string;
  /** Includes quotes. Depends on the fingerprint, the format and `namesOnly`. */
  readonly entityTag: string;
  /** True if `knownTags` matches, that is, the caller already has this bundle. */
  readonly isKnown: boolean;
  readonly auditId: AuditId;
  readonly pulledAt: Date;
}

/**
 * Decrypts the values of one environment. The audit entry is committed before the values are returned: if it cannot be
 * written, the request fails. Throws `conflict` if the project is suspended, and `validation_error` if a value cannot be
 * written in the format.
 */
export async function pullEnvOfProject(
  app: Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults">,
  command: PullEnv,
): Promise<PulledEnv> {
  const { key } = command;
  const vault = await openVault(app, key.tenantId);
  const pulledAt = app.clock.now();
  return withTransaction(app.db, key.tenantId, async (tx) => {
    const { environment, envVersion, contents } = await readBundle(tx, command);
    const environmentKey = { projectId: key.projectId, environment };
    const requested = command.names && new Set(command.names.map(caselessName));
    const isRequested = (name: string) => requested?.has(caselessName(name)) ?? true;
    const { variables, warnings } = assembleEnv({
      own: contents.variables
        .filter(({ name }) => isRequested(name))
        .map((variable) => openVariable(vault, environmentKey, variable)),
      services: contents.services
        .filter(({ envNames }) => Object.values(envNames).some(isRequested))
        .map((service) => openContribution(vault, service)),
      isRequested,
    });
    const found = new Set(variables.map(({ name }) => caselessName(name)));
    const env = Object.fromEntries(variables.map(({ name, value }) => [name, value]));
    if (command.format === "docker" && !command.namesOnly) throwIfNotOnOneLine(env);
    const fingerprint = fingerprintOf(env);
    const entityTag = entityTagOf(fingerprint, command);
    const pulled = {
      projectId: key.projectId,
      environment,
      version: envVersion,
      env,
      variables,
      warnings,
      unportableNames: unportableNames(env),
      missingNames: (command.names ?? []).filter((name) => !found.has(caselessName(name))),
      fingerprint,
      entityTag,
      isKnown: command.knownTags.some((tag) => tag === entityTag || tag === "*"),
      pulledAt,
    };
    return { ...pulled, auditId: await recordPull(tx, command, pulled) };
  });
}

async function readBundle(tx: Tx, { key, environment: requested, authorize, onSize }: PullEnv) {
  const environment = requested ?? null;
  const read = (bytesMax: number) => readSealedBundle(tx, { ...key, environment, bytesMax });
  const measured = await read(SMALL_BUNDLE_BYTES);
  await authorize(tx);
  throwIfSuspended(measured);
  onSize(Number(measured.bytes));
  const bundle = measured.contents === null ? await read(Number.MAX_SAFE_INTEGER) : measured;
  throwIfUnknownEnvironment(bundle, environment);
  throwIfSuspended(bundle);
  const { contents } = bundle;
  invariant(contents !== null, "a read without a size limit returns the contents");
  return { ...bundle, contents };
}

/** A kill switch suspends a project to stop its secrets from leaving. */
function throwIfSuspended({ status }: SealedBundle): void {
  if (status !== "suspended") return;
  throw new AppError("conflict", {
    detail: "The project is suspended. Its environment can be pulled when it is active again.",
  });
}

function throwIfUnknownEnvironment({ environments }: SealedBundle, requested: string | null): void {
  if (requested === null || environments.includes(requested)) return;
  throw invalidField("/query/environment", "unknown", mustBeOneOf(environments));
}

function openVariable(
  vault: TenantVault,
  environmentKey: { readonly projectId: ProjectId; readonly environment: string },
  { name, version, valueSealed, sensitive, updatedAt }: SealedVariable,
): PulledVariable {
  const context = variableContext({ ...environmentKey, name, version });
  const value = vault.open(context, valueSealed).toString("utf8");
  return { name, value, sensitive, updatedAt, service: null };
}

function openContribution(vault: TenantVault, { valueSealed, ...service }: SealedServiceEnv): ServiceContribution {
  const { serviceId, credentialVersion: version } = service;
  return { ...service, env: openServiceEnv(vault, { serviceId, version, valueSealed }) };
}

function entityTagOf(fingerprint: string, { format, namesOnly }: PullEnv): string {
  return `"${fingerprint}-${format}${namesOnly ? "-names" : ""}"`;
}

/** Records which versions of services' credentials the API key has now. */
async function recordCredentialPulls(
  tx: Tx,
  { tenantId, actor: { key_id: keyId } }: Actor,
  { variables, pulledAt }: Pick<PulledEnv, "variables" | "pulledAt">,
): Promise<void> {
  const versions = new Map(
    variables.flatMap(({ service }) =>
      service === null ? [] : [[service.serviceId, service.credentialVersion] as const],
    ),
  );
  if (keyId === null || !isId("key", keyId) || versions.size === 0) return;
  await saveCredentialPulls(tx, { tenantId, keyId, versions, pulledAt });
}

async function recordPull(
  tx: Tx,
  { actor, format, namesOnly }: PullEnv,
  pulled: Omit<PulledEnv, "auditId">,
): Promise<AuditId> {
  const subject = { type: "project", id: pulled.projectId };
  // The fingerprint is omitted: someone who can read the audit entries could guess a weak value from its hash.
  const facts = {
    environment: pulled.environment,
    format,
    names_only: namesOnly,
    version: pulled.version,
    count: pulled.variables.length,
    not_modified: pulled.isKnown,
  };
  const occurredAt = pulled.pulledAt;
  if (!namesOnly) await recordCredentialPulls(tx, actor, pulled);
  return recordEntryAndEvent(
    tx,
    actor,
    { action: "env.pulled", subject, facts, occurredAt, sequence: null },
    (auditId) => ({ project_id: pulled.projectId, ...facts, audit_id: auditId }),
  );
}
