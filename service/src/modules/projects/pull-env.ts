import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { invalidField } from "../../foundation/errors.ts";
import type { AuditId, ProjectId } from "../../foundation/ids.ts";
import { invariant } from "../../foundation/invariant.ts";
import { recordAndAnnounce } from "../../outbox/record-and-announce.ts";
import { openVault, type TenantVault } from "../../vault/open-vault.ts";
import { assembleEnv, type PulledVariable, type ServiceContribution } from "./assemble-env.ts";
import {
  readSealedBundle,
  type SealedBundle,
  type SealedServiceEnv,
  type SealedVariable,
} from "./bundle/queries.ts";
import type { ProjectKey } from "./queries.ts";
import { fingerprintOf, openServiceEnv } from "./services/service-env.ts";
import { variableContext } from "./variables/variable-context.ts";

/** The values of a bundle up to this size come along with its size. Those of a larger one are read once the caller has agreed. */
const SMALL_BUNDLE_BYTES = 16 * 1024;

export const ENV_FORMATS = ["json", "dotenv"] as const;
export type EnvFormat = (typeof ENV_FORMATS)[number];

export interface PullEnv {
  readonly actor: Actor;
  readonly key: ProjectKey;
  /** Undefined: `development`, else the project's first. */
  readonly environment: string | undefined;
  /** Only these variables. Undefined: all. */
  readonly names: readonly string[] | undefined;
  readonly format: EnvFormat;
  readonly namesOnly: boolean;
  /** The entity tags, quotes included, of what the caller has already; `*` stands for anything. */
  readonly knownTags: readonly string[];
  /** Called with about how many bytes the answer will take, before any value is opened. May throw to refuse the pull. */
  readonly onSize: (bytes: number) => void;
}

export interface PulledEnv {
  readonly projectId: ProjectId;
  readonly environment: string;
  readonly version: number;
  /** The values by name, sorted. They are for one answer, and for nothing else. */
  readonly env: Readonly<Record<string, string>>;
  /** By name. */
  readonly variables: readonly PulledVariable[];
  /** Variables that are not where one would look for them. */
  readonly warnings: readonly string[];
  /** Names that were asked for and are not there. */
  readonly missingNames: readonly string[];
  /** Lower-case hex SHA-256 of the canonical JSON of `env`. */
  readonly fingerprint: string;
  /** In quotes. Covers fingerprint, format and `namesOnly`. */
  readonly entityTag: string;
  /** The caller has it already. */
  readonly isKnown: boolean;
  readonly auditId: AuditId;
  readonly pulledAt: Date;
}

/**
 * Opens the values of one environment. The audit entry commits with the reading, before anybody is shown a byte: where it
 * cannot be written nothing is given away.
 */
export async function pullEnv(
  app: Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults">,
  command: PullEnv,
): Promise<PulledEnv> {
  const { key } = command;
  const vault = await openVault(app, key.tenantId);
  const pulledAt = app.clock.now();
  return withTransaction(app.db, key.tenantId, async (tx) => {
    const { environment, envVersion, contents } = await readBundle(tx, command);
    const place = { projectId: key.projectId, environment };
    const isWanted = (name: string) => command.names?.includes(name) ?? true;
    const { variables, warnings } = assembleEnv({
      own: contents.variables
        .filter(({ name }) => isWanted(name))
        .map((variable) => openVariable(vault, place, variable)),
      services: contents.services
        .filter(({ envNames }) => Object.values(envNames).some(isWanted))
        .map((service) => openContribution(vault, service)),
      isWanted,
    });
    const env = Object.fromEntries(variables.map(({ name, value }) => [name, value]));
    const fingerprint = fingerprintOf(env);
    const entityTag = entityTagOf(fingerprint, command);
    const pulled = {
      projectId: key.projectId,
      environment,
      version: envVersion,
      env,
      variables,
      warnings,
      missingNames: (command.names ?? []).filter((name) => !Object.hasOwn(env, name)),
      fingerprint,
      entityTag,
      isKnown: command.knownTags.some((tag) => tag === entityTag || tag === "*"),
      pulledAt,
    };
    return { ...pulled, auditId: await recordPull(tx, command, pulled) };
  });
}

async function readBundle(tx: Tx, { key, environment: wanted, onSize }: PullEnv) {
  const environment = wanted ?? null;
  const read = (bytesMax: number) => readSealedBundle(tx, { ...key, environment, bytesMax });
  const measured = await read(SMALL_BUNDLE_BYTES);
  onSize(Number(measured.bytes));
  const bundle = measured.contents === null ? await read(Number.MAX_SAFE_INTEGER) : measured;
  refuseUnknownEnvironment(bundle, environment);
  const { contents } = bundle;
  invariant(contents !== null, "no bundle is larger than can be counted");
  return { ...bundle, contents };
}

function refuseUnknownEnvironment({ environments }: SealedBundle, wanted: string | null): void {
  if (wanted === null || environments.includes(wanted)) return;
  throw invalidField("/query/environment", "unknown", `must be one of ${environments.join(", ")}`);
}

function openVariable(
  vault: TenantVault,
  place: { readonly projectId: ProjectId; readonly environment: string },
  { name, version, valueSealed, sensitive, updatedAt }: SealedVariable,
): PulledVariable {
  const context = variableContext({ ...place, name, version });
  const value = vault.open(context, valueSealed).toString("utf8");
  return { name, value, sensitive, updatedAt, service: null };
}

function openContribution(
  vault: TenantVault,
  { valueSealed, ...service }: SealedServiceEnv,
): ServiceContribution {
  const { serviceId, credentialVersion: version } = service;
  return { ...service, env: openServiceEnv(vault, { serviceId, version, valueSealed }) };
}

function entityTagOf(fingerprint: string, { format, namesOnly }: PullEnv): string {
  return `"${fingerprint}-${format}${namesOnly ? "-names" : ""}"`;
}

async function recordPull(
  tx: Tx,
  { actor, format, namesOnly }: PullEnv,
  pulled: Omit<PulledEnv, "auditId">,
): Promise<AuditId> {
  const subject = { type: "project", id: pulled.projectId };
  // Not the fingerprint: a hash of one weak value could be guessed by whoever reads the trail.
  const facts = {
    environment: pulled.environment,
    format,
    names_only: namesOnly,
    version: pulled.version,
    count: pulled.variables.length,
    not_modified: pulled.isKnown,
  };
  const occurredAt = pulled.pulledAt;
  return recordAndAnnounce(
    tx,
    actor,
    { action: "env.pulled", subject, facts, occurredAt },
    (auditId) => ({ project_id: pulled.projectId, ...facts, audit_id: auditId }),
  );
}
