import type { AuditEntry } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { formatName, shorten } from "../ui/format.ts";
import { type Column, idColumn, linesColumn, MINOR, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { AgentLink, KeyName } from "../ui/names.tsx";
import { Empty } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import type { TabProps } from "./parts.tsx";

export function Activity({ project: { project_id } }: TabProps) {
  const params = { path: { project_id }, query: { limit: 50 } };
  return (
    <Section intro="Every change of this project, from the audit trail, which cannot be changed.">
      <ListTable
        label="Activity"
        list={pagedRows(hooks.useInfiniteQuery("get", "/projects/{project_id}/audit", { params }, PAGED))}
        rowKey={({ audit_id }) => audit_id}
        columns={COLUMNS}
        empty={<Empty title="Nothing has happened yet" />}
      />
    </Section>
  );
}

/** Returns who has acted, in words. */
export function actorText({ actor: { type, key_id } }: AuditEntry): string {
  if (type === "agent") return "An agent";
  if (type === "admin") return "Purser's operators";
  if (type === "system") return "Purser";
  return key_id === null ? "You, in a browser" : `Your key ${shorten(key_id)}`;
}

/** Who has acted, with the name of the key or of the agent. */
export function ActorName({ entry }: { readonly entry: AuditEntry }) {
  const { type, id, key_id } = entry.actor;
  if (type === "agent" && id !== null) return <AgentLink id={id} />;
  if (type !== "developer" || key_id === null) return actorText(entry);
  return (
    <>
      Your key <KeyName id={key_id} />
    </>
  );
}

/** Returns what was done, in words: `project.created` becomes `Project created`. */
export function actionText({ action }: AuditEntry): string {
  return formatName(action.replaceAll(".", " "));
}

function factsText({ facts }: AuditEntry): string {
  const shown = Object.entries(facts).filter(([name, value]) => value !== null && name !== "project_id");
  return shown.map(([name, value]) => `${name}: ${JSON.stringify(value).replaceAll('"', "")}`).join("; ");
}

const COLUMNS: readonly Column<AuditEntry>[] = [
  timeColumn("When", ({ occurred_at }) => occurred_at, {}),
  linesColumn("What", ({ action }) => action, {
    below: factsText,
    top: actionText,
  }),
  idColumn("To", ({ subject }) => subject.id),
  textColumn("Who", actorText, { show: (entry) => <ActorName entry={entry} /> }),
  textColumn("From", ({ actor }) => actor.ip ?? "–", MINOR),
];
