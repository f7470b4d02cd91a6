import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { recordEntryAndEvent } from "../../events/events.ts";
import { type AuditId, isId, type ProjectId } from "../../foundation/ids.ts";
import { caselessName } from "../../foundation/variable-names.ts";
import { openVault } from "../../vault/vault.ts";
import { saveCredentialPulls } from "../services/rotation/queries.ts";
import { fingerprintOf } from "../services/service-env.ts";
import type { PulledVariable } from "./assemble-env.ts";
import { throwIfNotOnOneLine, unportableNames } from "./bundle/unportable-values.ts";
import { type OpenEnv, openEnv } from "./open-env.ts";

export const ENV_FORMATS = ["json", "dotenv", "docker"] as const;
export type EnvFormat = (typeof ENV_FORMATS)[number];

export interface PullEnv extends Omit<OpenEnv, "pointer"> {
  readonly actor: Actor;
  readonly format: EnvFormat;
  readonly namesOnly: boolean;
  /** The entity tags of the bundles that the caller already has, including quotes. `*` matches every bundle. */
  readonly knownTags: readonly string[];
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
    const { environment, envVersion, variables, warnings } = await openEnv(tx, vault, {
      ...command,
      pointer: "/query/environment",
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
