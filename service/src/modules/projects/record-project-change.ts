import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { appendEvent } from "../../events/append-event.ts";
import type { Json } from "../../foundation/canonical-json.ts";
import { presentProject } from "./project-resource.ts";
import type { ProjectOverview } from "./queries.ts";

interface RecordProjectChange {
  readonly action: "project.created" | "project.updated" | "project.deleted";
  readonly project: ProjectOverview;
  readonly facts: Readonly<Record<string, Json>>;
  readonly occurredAt: Date;
}

/** Writes the audit entry and the event for a project change, in the same transaction as the change. */
export async function recordProjectChange(
  tx: Tx,
  actor: Actor,
  { action, project, facts, occurredAt }: RecordProjectChange,
): Promise<void> {
  const subject = { type: "project", id: project.projectId };
  await appendAuditEntry(tx, actor, { action, subject, facts, occurredAt });
  await appendEvent(tx, actor, {
    type: action,
    subject,
    data: presentProject(project),
    occurredAt,
  });
}
