import { List, Stack, Text } from "@mantine/core";
import type { ProjectDeletionPreview } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { useGo } from "../ui/navigation.tsx";
import { Loaded } from "../ui/page.tsx";
import { DeletionProgress } from "./operation-progress.tsx";
import type { TabProps } from "./parts.tsx";
import { Section } from "./parts.tsx";

/** Deletes the project, after a preview of what that does to each service. */
export function DeleteProject({ project }: TabProps) {
  const { project_id, name, status } = project;
  const go = useGo();
  const remove = async () => {
    const { data } = await api.DELETE("/projects/{project_id}", { params: { path: { project_id } } });
    if (data?.status === "deleted") go("/projects", { replace: true });
  };
  return (
    <Section
      title="Danger zone"
      intro="Deleting the project removes its services at their providers, its variables and its links."
      actions={
        <ActionDialog
          title={`Delete ${name}`}
          button="Delete project"
          buttonProps={{ color: "red", variant: "light", disabled: status === "deleting" }}
          action="Delete the project"
          isDangerous
          typeToConfirm={name}
          run={remove}
        >
          {status === "deleting" ? <DeletionProgress projectId={project_id} /> : <Preview project={project} />}
        </ActionDialog>
      }
    >
      {null}
    </Section>
  );
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
      {({ services, variables, charges }) => (
        <Stack gap="xs">
          <Text size="sm">This cannot be undone.</Text>
          <List size="sm">
            {services.map(({ service_id, effect, detail }) => (
              <List.Item key={service_id}>
                <strong>{nameOf(service_id)}</strong> {EFFECTS[effect]}
                {detail !== null && `: ${detail}`}
              </List.Item>
            ))}
            {services.length === 0 && <List.Item>It has no services</List.Item>}
            {variables > 0 && <List.Item>Variables that are deleted: {variables}</List.Item>}
            {charges.map(({ description, amount, period_start }) => (
              <List.Item key={`${description}${period_start}`}>
                Still billed: {description}, {amount} USD
              </List.Item>
            ))}
          </List>
        </Stack>
      )}
    </Loaded>
  );
}
