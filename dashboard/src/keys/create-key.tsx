import { Checkbox, MultiSelect, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { api, hooks } from "../api/client.ts";
import { RequestError } from "../api/problem.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { useMode } from "../ui/navigation.tsx";
import type { NewPair } from "./key-pair.ts";
import { DEFAULT_SCOPES, SCOPES, type Scope } from "./scopes.ts";

interface NewKey {
  readonly name: string;
  readonly scopes: Scope[];
  readonly agent_ids: string[];
  readonly project_ids: string[];
}

export function CreateKey({ created }: { readonly created: (pair: NewPair) => void }) {
  const mode = useMode();
  const form = useForm<NewKey>({
    initialValues: { name: "", scopes: [...DEFAULT_SCOPES], agent_ids: [], project_ids: [] },
  });
  const create = async () => {
    const { data } = await api.POST("/developers/me/keys", { body: { ...form.values, mode } });
    if (data === undefined) return;
    form.reset();
    created(data);
  };
  return (
    <ActionDialog title={`Create a ${mode} key`} button="Create key" action="Create key pair" size="lg" run={create}>
      {(error) => (
        <Stack>
          <TextInput
            label="Name"
            placeholder="Production worker"
            required
            maxLength={100}
            data-autofocus
            error={error instanceof RequestError ? error.fields["name"] : undefined}
            {...form.getInputProps("name")}
          />
          <Bindings form={form} />
          <Checkbox.Group label="Scopes" {...form.getInputProps("scopes")}>
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" mt="xs">
              {Object.entries(SCOPES).map(([scope, meaning]) => (
                <Checkbox key={scope} value={scope} label={scope} description={meaning} size="sm" />
              ))}
            </SimpleGrid>
          </Checkbox.Group>
        </Stack>
      )}
    </ActionDialog>
  );
}

/** Chooses the agents and projects that the key is bound to. */
function Bindings({ form }: { readonly form: ReturnType<typeof useForm<NewKey>> }) {
  const agents = hooks.useQuery("get", "/agents", { params: { query: { limit: 100 } } });
  const projects = hooks.useQuery("get", "/projects", { params: { query: { per_page: 100 } } });
  return (
    <>
      <Text size="sm" c="dimmed">
        Give each agent a key of its own, bound to it: it can then act as this agent only.
      </Text>
      <MultiSelect
        label="Agents"
        placeholder="Any agent"
        searchable
        clearable
        data={(agents.data?.data ?? []).map(({ agent_id, name }) => ({ value: agent_id, label: name ?? agent_id }))}
        {...form.getInputProps("agent_ids")}
      />
      <MultiSelect
        label="Projects"
        placeholder="Any project"
        searchable
        clearable
        data={(projects.data?.data ?? []).map(({ project_id, name }) => ({ value: project_id, label: name }))}
        {...form.getInputProps("project_ids")}
      />
    </>
  );
}
