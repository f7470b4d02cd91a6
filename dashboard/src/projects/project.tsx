import { Alert, Group, Stack, Text } from "@mantine/core";
import type { ProjectDeletionPreview } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { formatCount } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { metadataChange, metadataField, metadataLines } from "../ui/forms/metadata.tsx";
import { listOf } from "../ui/forms/use-submit.ts";
import { AgentLink, NameLink, useAgents, usePolicies } from "../ui/names.tsx";
import { useGo, useId } from "../ui/navigation.tsx";
import { Facts, Loaded, Page } from "../ui/page.tsx";
import { ScreenTabs } from "../ui/screen-tabs.tsx";
import { Section } from "../ui/section.tsx";
import { Status } from "../ui/values.tsx";
import { Activity } from "./activity.tsx";
import { Billing } from "./billing.tsx";
import { Environment } from "./environment.tsx";
import { Links } from "./links.tsx";
import { DeletionProgress } from "./operation-progress.tsx";
import type { TabProps } from "./parts.tsx";
import { Services } from "./services.tsx";

/** One project. Its tabs are in the URL: `?tab=billing`. */
export function ProjectScreen() {
  const params = { path: { project_id: useId("projectId") } };
  const query = hooks.useQuery(...(["get", "/projects/{project_id}", { params }] as const), {
    refetchInterval: ({ state }) => state.error === null && state.data?.status === "deleting" && 2_000,
  });
  return (
    <Loaded query={query} lines={8}>
      {(project) => <ProjectPage project={project} />}
    </Loaded>
  );
}

function ProjectPage({ project }: TabProps) {
  const { name, description, project_id, status } = project;
  const intro = (
    <Group gap="xs">
      {description !== null && <Text size="sm">{description}</Text>}
      <CopyText text={project_id} what="project id" />
    </Group>
  );
  const back = { label: "Projects", to: "/projects" };
  return (
    <Page title={name} intro={intro} actions={<Status status={status} />} back={back}>
      <StatusNote project={project} />
      <ScreenTabs
        tabs={{
          services: ["Services", <Services key="services" project={project} />],
          links: ["Links", <Links key="links" project={project} />],
          environment: ["Environment", <Environment key="environment" project={project} />],
          billing: ["Billing", <Billing key="billing" project={project} />],
          activity: ["Activity", <Activity key="activity" project={project} />],
          settings: ["Settings", <ProjectSettings key="settings" project={project} />],
        }}
      />
    </Page>
  );
}

/** Says why a project that is not active does nothing, and what to do. */
function StatusNote({ project: { project_id, status } }: TabProps) {
  const activate = () =>
    api.PATCH("/projects/{project_id}", { params: { path: { project_id } }, body: { status: "active" } });
  if (status === "deleting") return <DeletionProgress projectId={project_id} />;
  if (status === "delete_failed") {
    return (
      <Alert color="red" title="The deletion did not finish">
        A provider did not delete a resource. Delete the project again in its settings: what is done is not repeated.
      </Alert>
    );
  }
  if (status !== "suspended") return null;
  return (
    <Alert color="orange" title="This project is suspended">
      <Text size="sm" mb="sm">
        A kill switch stopped it: its environment cannot be pulled, and it cannot get services or pay.
      </Text>
      <ActionDialog
        {...{ title: "Reactivate the project", action: "Reactivate", buttonProps: { size: "xs" }, run: activate }}
        text="Its environment can be pulled again, and its agents can add services and pay."
      />
    </Alert>
  );
}

export function ProjectSettings({ project }: TabProps) {
  const policies = usePolicies();
  const { name, slug, description, agent_ids, policy_id, environments, metadata } = project;
  const agents = agent_ids.map((id) => (
    <div key={id}>
      <AgentLink id={id} />
    </div>
  ));
  const intro = "Agents of the project can pull its environment, add services and pay, as far as their policies allow.";
  return (
    <Stack gap="xl" maw={720}>
      <Section title="General" intro={intro} actions={<EditProject key={project.updated_at} project={project} />}>
        <Facts
          facts={[
            ["Name", name],
            ["Slug", slug],
            ["Description", description],
            ["Environments", environments.join(", ")],
            ["Agents", agent_ids.length === 0 ? null : agents],
            ["Policy", policy_id && <NameLink key="policy" to="/policies" id={policy_id} among={policies} />],
            ["Metadata", metadataLines(metadata)],
          ]}
        />
      </Section>
      <DeleteProject project={project} />
    </Stack>
  );
}

function EditProject({ project: { project_id, name, description, agent_ids, policy_id, metadata } }: TabProps) {
  const policy = { label: "Policy", description: "Applies beside the policies that name the project." } as const;
  return (
    <ActionDialog
      {...{ title: "Edit the project", buttonProps: { variant: "default" }, action: "Save" }}
      fields={[
        { name: "name", label: "Name", required: true, maxLength: 100, defaultValue: name },
        {
          name: "description",
          label: "Description",
          input: "lines",
          maxLength: 1_000,
          defaultValue: description ?? "",
        },
        { name: "agents", label: "Agents", input: "objects", data: useAgents(), defaultValue: agent_ids },
        { name: "policy", ...policy, input: "object", data: usePolicies(), defaultValue: policy_id },
        metadataField(metadata),
      ]}
      run={(typed) => {
        const body = {
          ...{ name: typed.name, description: typed.description || null, policy_id: typed.policy || null },
          ...{ agent_ids: listOf(typed.agents), metadata: metadataChange(typed.metadata, metadata) },
        };
        return api.PATCH("/projects/{project_id}", { params: { path: { project_id } }, body });
      }}
    />
  );
}

/** Deletes the project, after a preview of what that does to each service. */
function DeleteProject({ project }: TabProps) {
  const { project_id, name, status } = project;
  const go = useGo();
  const isDeleting = status === "deleting";
  const remove = (
    <ActionDialog
      {...{ title: `Delete ${name}`, button: "Delete project", action: "Delete the project", typeToConfirm: name }}
      buttonProps={{ disabled: isDeleting }}
      run={async () => {
        const { data } = await api.DELETE("/projects/{project_id}", { params: { path: { project_id } } });
        if (data?.status === "deleted") go("/projects", { replace: true });
      }}
    >
      {isDeleting ? <DeletionProgress projectId={project_id} /> : <Preview project={project} />}
    </ActionDialog>
  );
  const intro = "Deleting the project removes its services at their providers, its variables and its links.";
  return <Section title="Danger zone" intro={intro} actions={remove} />;
}

const EFFECTS: Readonly<Record<ProjectDeletionPreview["services"][number]["effect"], string>> = {
  destroyed: "is destroyed with its data",
  detached: "stays at the provider, which may go on billing it",
  failed: "could not be removed before",
};

/** What the deletion does to each service, and what is still billed. */
function Preview({ project: { project_id } }: TabProps) {
  const params = { path: { project_id } };
  const preview = hooks.useQuery("post", "/projects/{project_id}/delete-preview", { params });
  const { data } = hooks.useQuery("get", "/projects/{project_id}/services", { params });
  const nameOf = (id: string) => data?.data.find(({ service_id }) => service_id === id)?.name ?? id;
  return (
    <Loaded query={preview} lines={2}>
      {({ services, variables, charges }) => {
        const effects = [
          ...services.map(({ service_id, effect, detail }) => {
            return `${nameOf(service_id)} ${EFFECTS[effect]}${detail === null ? "" : `: ${detail}`}`;
          }),
          services.length === 0 ? "It has no services." : "",
          variables > 0 ? `${formatCount(variables, "variable")} will be deleted.` : "",
          ...charges.map(({ description, amount }) => `Still billed: ${description}, ${amount} USD`),
          "This cannot be undone.",
        ];
        return <Text {...{ size: "sm", style: { whiteSpace: "pre-line" } }}>{effects.filter(Boolean).join("\n")}</Text>;
      }}
    </Loaded>
  );
}
