import { type Static, Type } from "typebox";
import type { App } from "../../../app.ts";
import { type Actor, appendAuditEntry } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import type { ListedPage, Page } from "../../../db/pages.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { AppError, invalidField } from "../../../foundation/errors.ts";
import { invariant } from "../../../foundation/invariant.ts";
import { mustBeOneOf } from "../../../foundation/schema-violations.ts";
import { Count, Flag, ListOf, Timestamp } from "../../../foundation/wire/fields.ts";
import { toWire } from "../../../foundation/wire/to-wire.ts";
import { openVault, type VaultContext } from "../../../vault/vault.ts";
import { recordEnvChange } from "../../projects/projects.ts";
import { getProjectRow, lockProject, type Project, type ProjectKey } from "../../projects/queries.ts";
import { throwIfBundleTooLarge } from "../../services/service-env.ts";
import {
  deleteVariableValues,
  findNameInOtherCase,
  findVariable,
  listVariablesOf,
  markSensitivity,
  measureOtherVariables,
  upsertVariableValues,
  type Variable,
} from "./queries.ts";

/** A variable without its value. Only env bundles contain values (docs/rules/env-bundles.md). */
export const VariableResource = Type.Object(
  {
    object: Type.Literal("variable"),
    name: Type.String(),
    environments: ListOf(Type.String(), "Environments in which the variable has a value."),
    sensitive: Flag("Whether the value is a secret that tools should not display."),
    version: Count("Number of times the variable has been set, starting at 1."),
    updated_at: Timestamp,
  },
  {
    $id: "Variable",
    description: "A variable without its value. Only `GET /projects/{project_id}/env` returns values.",
  },
);

export function presentVariable(variable: Variable): Static<typeof VariableResource> {
  return toWire(VariableResource, variable);
}

/** Returns a variable without its value. Throws `project_not_found` or `variable_not_found`. */
export async function getVariable(
  app: Pick<App, "db">,
  { key, name }: { readonly key: ProjectKey; readonly name: string },
): Promise<Variable> {
  return withTransaction(app.db, key.tenantId, async (tx) => requireVariable(tx, await getProjectRow(tx, key), name));
}

/** Returns one page of a project's variables without their values, sorted by name. Throws `project_not_found`. */
export async function listVariables(
  app: Pick<App, "db">,
  key: ProjectKey,
  page: Page<string>,
): Promise<ListedPage<Variable>> {
  return withTransaction(app.db, key.tenantId, async (tx) => listVariablesOf(tx, await getProjectRow(tx, key), page));
}

/** Returns the project's variable with this name. Throws `variable_not_found`. */
async function requireVariable(tx: Tx, project: Project, name: string): Promise<Variable> {
  const variable = await findVariable(tx, project, name);
  if (variable !== undefined) return variable;
  throw new AppError("variable_not_found", {
    internal: `${project.projectId} has no variable ${name}`,
  });
}

interface VariableContext {
  readonly projectId: string;
  readonly environment: string;
  readonly name: string;
  readonly version: number;
}

/**
 * Returns the encryption context for a variable's value. A value can be decrypted only for the project, environment,
 * name and version for which it was encrypted.
 */
export function variableContext({ projectId, environment, name, version }: VariableContext): VaultContext {
  const subject = `${projectId}/${environment}/${name}`;
  return { kind: "project_variable", subject, field: "value", version };
}

const VARIABLES_MAX = 1_000;
/** Maximum total size of a project's encrypted values. */
const SEALED_BYTES_MAX = 8n * 1024n * 1024n;

interface SetVariable {
  readonly actor: Actor;
  readonly key: ProjectKey;
  readonly name: string;
  readonly value: string;
  /** Defaults to all of the project's environments. */
  readonly environments: readonly string[] | undefined;
  readonly sensitive: boolean;
}

/**
 * Sets a variable in the given environments and leaves its values in other environments unchanged. The value is
 * encrypted before it is sent to the database, and never appears in an audit entry, event or log. Throws `conflict` if
 * the project would exceed a limit, and `already_exists` if a variable has the name in another case.
 */
export async function setVariable(
  app: Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults">,
  { actor, key, name, value, environments, sensitive }: SetVariable,
): Promise<Variable> {
  const vault = await openVault(app, key.tenantId);
  const at = app.clock.now();
  return withTransaction(app.db, key.tenantId, async (tx) => {
    const project = await lockProject(tx, key);
    const selected = selectEnvironments(project, environments);
    await throwIfInOtherCase(tx, project, name);
    const existing = await findVariable(tx, project, name);
    const version = (existing?.version ?? 0) + 1;
    const rows = selected.map((environment) => {
      const variableKey = { projectId: project.projectId, environment, name, version };
      const valueSealed = vault.seal(variableContext(variableKey), value);
      return { ...variableKey, tenantId: project.tenantId, valueSealed, sensitive, updatedAt: at };
    });
    await throwIfTooManyVariables(tx, project, { name, rows });
    await upsertVariableValues(tx, rows);
    await throwIfBundleTooLarge(tx, project);
    await markSensitivity(tx, project, { name, sensitive });
    await recordVariableChange(tx, actor, {
      action: "project.variable_set",
      project,
      variable: { name, environments: selected, version },
      occurredAt: at,
    });

    const variable = await findVariable(tx, project, name);
    invariant(variable !== undefined, "the variable was just set");
    return variable;
  });
}

function selectEnvironments(
  project: Project,
  environments: readonly string[] = project.environments,
): readonly string[] {
  const unknown = environments.findIndex((name) => !project.environments.includes(name));
  if (unknown === -1) return environments;
  throw invalidField(`/body/environments/${unknown}`, "unknown", mustBeOneOf(project.environments));
}

async function throwIfInOtherCase(tx: Tx, project: Project, name: string): Promise<void> {
  const other = await findNameInOtherCase(tx, project, name);
  if (other === undefined) return;
  const detail = `The project has the variable ${other}. Names that differ only in case are the same variable for some programs.`;
  const errors = [{ pointer: "/path/name", code: "taken", detail: `is taken by ${other}` }];
  throw new AppError("already_exists", { detail, errors });
}

async function throwIfTooManyVariables(
  tx: Tx,
  project: Project,
  { name, rows }: { readonly name: string; readonly rows: readonly { valueSealed: Buffer }[] },
): Promise<void> {
  const others = await measureOtherVariables(tx, project, name);
  if (others.count >= VARIABLES_MAX) {
    throw new AppError("conflict", {
      detail: `A project can have at most ${VARIABLES_MAX} variables. Delete another variable first.`,
    });
  }
  const bytes = rows.reduce((sum, { valueSealed }) => sum + BigInt(valueSealed.length), others.bytes);
  if (bytes > SEALED_BYTES_MAX) {
    throw new AppError("conflict", {
      detail: "The values of a project's variables can take up at most 8 MiB in total. Delete variables first.",
    });
  }
}

/** Deletes a variable's values in all environments and returns the deleted variable. Throws `variable_not_found`. */
export async function deleteVariable(
  app: Pick<App, "db" | "clock">,
  { actor, key, name }: { readonly actor: Actor; readonly key: ProjectKey; readonly name: string },
): Promise<Variable> {
  return withTransaction(app.db, key.tenantId, async (tx) => {
    const project = await lockProject(tx, key);
    const variable = await requireVariable(tx, project, name);
    await deleteVariableValues(tx, project, name);
    await recordVariableChange(tx, actor, {
      action: "project.variable_deleted",
      project,
      variable,
      occurredAt: app.clock.now(),
    });
    return variable;
  });
}

interface RecordVariableChange {
  readonly action: "project.variable_set" | "project.variable_deleted";
  readonly project: Project;
  readonly variable: Pick<Variable, "name" | "environments" | "version">;
  readonly occurredAt: Date;
}

/**
 * Increments the project's `envVersion`. Writes the audit entry and the event, without the variable's value, in the
 * same transaction as the change. The caller must have locked the project.
 */
async function recordVariableChange(
  tx: Tx,
  actor: Actor,
  { action, project, variable, occurredAt }: RecordVariableChange,
): Promise<void> {
  const { name, environments, version } = variable;
  await appendAuditEntry(tx, actor, {
    action,
    subject: { type: "project", id: project.projectId },
    facts: { name, environments: [...environments], version },
    occurredAt,
  });
  const change = action === "project.variable_set" ? "set" : "deleted";
  await recordEnvChange(tx, actor, project, { change, environments, names: [name], occurredAt });
}
