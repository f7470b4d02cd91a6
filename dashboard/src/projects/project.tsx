import { Alert, Group, Text } from "@mantine/core";
import { api, hooks } from "../api/client.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { useId } from "../ui/navigation.tsx";
import { Loaded, Page } from "../ui/page.tsx";
import { ScreenTabs } from "../ui/screen-tabs.tsx";
import { Status } from "../ui/values.tsx";
import { Activity } from "./activity.tsx";
import { Billing } from "./billing.tsx";
import { Environment } from "./environment.tsx";
import { Links } from "./links.tsx";
import { DeletionProgress } from "./operation-progress.tsx";
import type { TabProps } from "./parts.tsx";
import { ProjectSettings } from "./project-settings.tsx";
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
