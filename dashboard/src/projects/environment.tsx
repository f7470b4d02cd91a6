import { Stack, Text } from "@mantine/core";
import type { AuditEntry } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { Snippet } from "../ui/copy-text.tsx";
import { type Column, MINOR, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { actorText } from "./activity.tsx";
import { CompareEnvironment } from "./compare-environment.tsx";
import type { TabProps } from "./parts.tsx";
import { Section } from "./parts.tsx";
import { Variables } from "./variables.tsx";

/** The names in the environment, who pulled it, and how to pull it. Values are never sent to the browser. */
export function Environment({ project }: TabProps) {
  const { project_id, environments } = project;
  return (
    <Stack gap="xl">
      <Variables project={project} />
      <CompareEnvironment project={project} />
      <Section title="Pull it" intro="Programs pull the values with a signed request. The SDK checks their signature.">
        <Snippet
          code={`const { env } = await purser.projects.env.pull("${project_id}", { environment: "${environments[0]}" });
Object.assign(process.env, env);`}
        />
      </Section>
      <Pulls projectId={project_id} />
    </Stack>
  );
}

const pullsIn = (rows: readonly AuditEntry[]) => rows.filter(({ action }) => action === "env.pulled");

/** Who pulled the environment, from the project's audit entries. */
function Pulls({ projectId }: { readonly projectId: string }) {
  const params = { path: { project_id: projectId }, query: { limit: 100 } };
  const list = pagedRows(hooks.useInfiniteQuery("get", "/projects/{project_id}/audit", { params }, PAGED));
  const loadMore = async () => {
    const next = await list.loadMore();
    return { ...next, rows: pullsIn(next.rows) };
  };
  return (
    <Section title="Who pulled it" intro="Every pull, with its key and what it got.">
      <ListTable
        label="Pulls"
        list={{ ...list, rows: list.rows && pullsIn(list.rows), loadMore }}
        rowKey={({ audit_id }) => audit_id}
        columns={PULLS}
        empty={<Text size="sm">This environment has not been pulled{list.hasMore && " lately"}.</Text>}
      />
    </Section>
  );
}

const PULLS: readonly Column<AuditEntry>[] = [
  timeColumn("When", ({ occurred_at }) => occurred_at, {}),
  textColumn("Who", actorText),
  textColumn("From", ({ actor }) => actor.ip ?? "–", MINOR),
  textColumn("Environment", ({ facts }) => String(facts["environment"] ?? "–")),
  textColumn("Version", ({ facts }) => String(facts["version"] ?? "–"), MINOR),
  textColumn("Got", ({ facts }) => {
    if (facts["not_modified"] === true) return "Nothing new";
    const what = facts["names_only"] === true ? "name" : "variable";
    return `${facts["count"]} ${what}${facts["count"] === 1 ? "" : "s"}`;
  }),
];
