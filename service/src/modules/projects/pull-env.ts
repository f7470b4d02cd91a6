import type { App } from "../../app.ts";
import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { invalidField } from "../../foundation/errors.ts";
import type { AuditId, ProjectId } from "../../foundation/ids.ts";
import { invariant } from "../../foundation/invariant.ts";
import { enqueueEvent } from "../../outbox/enqueue.ts";
import { openVault, type TenantVault } from "../../vault/open-vault.ts";
import { assembleEnv, type PulledVariable, type ServiceContribution } from "./assemble-env.ts";
import {
  getProjectWithBundleSize,
  listSealedVariables,
  type Project,
  type ProjectKey,
  type SealedVariable,
} from "./queries.ts";
import { listSealedServiceEnvs, type SealedServiceEnv } from "./services/queries.ts";
import { fingerprintOf, openServiceEnv } from "./services/service-env.ts";
import { variableContext } from "./variable-context.ts";

const DEFAULT_ENVIRONMENT = "development";

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
  /** Called with about how many bytes the answer will take, before any value is read. May throw to refuse the pull. */
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
    const project = await getProjectWithBundleSize(tx, key);
    command.onSize(Number(project.bundleBytes));
    const environment = chosenEnvironment(project, command.environment);
    // The services after the variables and the version: a bundle may be newer than its version says, and never older.
    const stored = await listSealedVariables(tx, key, environment);
    const sealed = await listSealedServiceEnvs(tx, project, environment);
    const place = { projectId: project.projectId, environment };
    const isWanted = (name: string) => command.names?.includes(name) ?? true;
    const { variables, warnings } = assembleEnv({
      own: stored.variables
        .filter(({ name }) => isWanted(name))
        .map((variable) => openVariable(vault, place, variable)),
      services: sealed
        .filter(({ envNames }) => Object.values(envNames).some(isWanted))
        .map((service) => openContribution(vault, service)),
      isWanted,
    });
    const env = Object.fromEntries(variables.map(({ name, value }) => [name, value]));
    const fingerprint = fingerprintOf(env);
    const entityTag = entityTagOf(fingerprint, command);
    const pulled = {
      projectId: project.projectId,
      environment,
      version: stored.envVersion,
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

function chosenEnvironment({ environments }: Project, wanted: string | undefined): string {
  if (wanted !== undefined && !environments.includes(wanted)) {
    throw invalidField(
      "/query/environment",
      "unknown",
      `must be one of ${environments.join(", ")}`,
    );
  }
  const [first] = environments;
  invariant(first !== undefined, "a project has an environment");
  return wanted ?? environments.find((name) => name === DEFAULT_ENVIRONMENT) ?? first;
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
  const auditId = await appendAuditEntry(tx, actor, {
    action: "env.pulled",
    subject,
    facts,
    occurredAt,
  });
  await enqueueEvent(tx, actor, {
    type: "env.pulled",
    subject,
    data: { project_id: pulled.projectId, ...facts, audit_id: auditId },
    occurredAt,
  });
  return auditId;
}
