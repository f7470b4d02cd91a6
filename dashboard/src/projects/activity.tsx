import type { AuditEntry } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { formatName } from "../ui/format.ts";
import { type Column, idColumn, linesColumn, MINOR, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { ActorName, actionText, actorText } from "../ui/names.tsx";
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

function factsText({ facts }: AuditEntry): string {
  const shown = Object.entries(facts).filter(([name, value]) => value !== null && name !== "project_id");
  return shown.map(([name, value]) => `${formatName(name)}: ${JSON.stringify(value).replaceAll('"', "")}`).join("; ");
}

const COLUMNS: readonly Column<AuditEntry>[] = [
  timeColumn("When", ({ occurred_at }) => occurred_at, {}),
  linesColumn("What", ({ action }) => action, {
    below: factsText,
    top: actionText,
  }),
  idColumn("To", ({ subject }) => subject.id),
  textColumn("Who", actorText, { ...MINOR, show: (entry) => <ActorName entry={entry} /> }),
  textColumn("From", ({ actor }) => actor.ip ?? "–", MINOR),
];
