import { Stack, Text } from "@mantine/core";
import type { Project } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { Snippet } from "../ui/copy-text.tsx";
import { type Column, idColumn, MINOR, statusColumn, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { AppLink } from "../ui/navigation.tsx";
import { Empty, Page } from "../ui/page.tsx";
import { CapBar } from "./caps.tsx";
import { CreateProject } from "./create-project.tsx";

export function Projects() {
  const params = { query: { per_page: 50 } };
  return (
    <Page
      title="Projects"
      intro="A project holds the services of one product, their environment, and what they may cost each month."
      actions={<CreateProject />}
    >
      <ListTable
        label="Projects"
        list={pagedRows(hooks.useInfiniteQuery("get", "/projects", { params }, PAGED))}
        rowKey={({ project_id }) => project_id}
        columns={COLUMNS}
        empty={
          <Empty title="No projects yet">
            <Text size="sm">Create one here, or with the SDK:</Text>
            <Snippet code={FIRST_PROJECT} />
          </Empty>
        }
      />
    </Page>
  );
}

const FIRST_PROJECT = `import { Purser } from "@purser/sdk";

const purser = new Purser(); // PURSER_API_KEY and PURSER_API_SECRET
const project = await purser.projects.create({ name: "shop-backend", monthly_cap: "50.00" });
console.log(project.project_id);`;

const COLUMNS: readonly Column<Project>[] = [
  {
    title: "Name",
    csv: ({ name }) => name,
    show: ({ name, project_id, description }) => (
      <Stack gap={0} maw={360}>
        <AppLink to={`/projects/${project_id}`} fw={600} size="sm" style={{ overflowWrap: "anywhere" }}>
          {name}
        </AppLink>
        <Text size="sm" c="dimmed" lineClamp={1}>
          {description}
        </Text>
      </Stack>
    ),
  },
  statusColumn(),
  {
    title: "This month",
    csv: ({ usage }) => usage.spent,
    show: ({ name, usage, monthly_cap }) => (
      <CapBar {...usage} cap={monthly_cap} label={`Spent of the cap of ${name}`} />
    ),
  },
  textColumn("Services", ({ services }) => services.length, MINOR),
  idColumn("Id", ({ project_id }) => project_id),
  timeColumn("Created", ({ created_at }) => created_at),
];
