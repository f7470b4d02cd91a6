import type { Project } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { CapBar } from "../ui/charts/cap-bar.tsx";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import {
  type Column,
  idColumn,
  linkColumn,
  MINOR,
  statusColumn,
  textColumn,
  timeColumn,
} from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { useGo } from "../ui/navigation.tsx";
import { Empty, Page } from "../ui/page.tsx";
import { AllInvoices } from "./billing.tsx";
import { capFields } from "./parts.tsx";

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
        empty={<Empty title="No projects yet" text="Create one here, or with the SDK:" code={FIRST_PROJECT} />}
      />
      <AllInvoices />
    </Page>
  );
}

function CreateProject() {
  const go = useGo();
  return (
    <ActionDialog
      {...{ title: "Create a project", button: "Create project", action: "Create the project" }}
      fields={[
        { name: "name", label: "Name", placeholder: "Shop backend", required: true, maxLength: 100 },
        { name: "description", label: "Description", input: "lines", maxLength: 1_000 },
        ...capFields({ monthly_cap: "100.00", cap_behavior: "block" }),
      ]}
      run={async ({ name, description, monthly_cap, cap_behavior }) => {
        const body = { name, description: description || null, monthly_cap, cap_behavior: cap_behavior as "block" };
        const { data } = await api.POST("/projects", { body });
        if (data !== undefined) go(`/projects/${data.project_id}`);
      }}
    />
  );
}

const FIRST_PROJECT = `import { Purser } from "@purser/sdk";

const purser = new Purser(); // PURSER_API_KEY and PURSER_API_SECRET
const project = await purser.projects.create({ name: "shop-backend", monthly_cap: "50.00" });
console.log(project.project_id);`;

const COLUMNS: readonly Column<Project>[] = [
  linkColumn("Name", ({ name }) => name, {
    to: ({ project_id }) => `/projects/${project_id}`,
    below: ({ description }) => description,
  }),
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
