import { type Actor, appendAuditEntry } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { appendEvent } from "../../../events/append-event.ts";
import { type Project, updateProjectRow } from "../queries.ts";
import type { Variable } from "./queries.ts";

/**
 * Increments the project's `envVersion`. Writes the audit entry and the event, without the variable's value, in the
 * same transaction as the change. The caller must have locked the project.
 */
export async function recordVariableChange(
  tx: Tx,
  actor: Actor,
  {
    action,
    project,
    variable,
    occurredAt,
  }: {
    readonly action: "project.variable_set" | "project.variable_deleted";
    readonly project: Project;
    readonly variable: Pick<Variable, "name" | "environments" | "version">;
    readonly occurredAt: Date;
  },
): Promise<void> {
  const { name, environments, version } = variable;
  const { envVersion } = await updateProjectRow(tx, project, {
    envVersion: project.envVersion + 1,
  });
  const subject = { type: "project", id: project.projectId };
  await appendAuditEntry(tx, actor, {
    action,
    subject,
    facts: { name, environments: [...environments], version },
    occurredAt,
  });
  await appendEvent(tx, actor, {
    type: "env.changed",
    subject,
    data: {
      project_id: project.projectId,
      version: envVersion,
      environments: [...environments],
      names: [name],
      change: action === "project.variable_set" ? "set" : "deleted",
    },
    occurredAt,
  });
}
