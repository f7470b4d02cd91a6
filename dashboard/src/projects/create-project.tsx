import { Stack, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { api } from "../api/client.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { useGo } from "../ui/navigation.tsx";
import { CapFields } from "./caps.tsx";
import { invalidFields } from "./parts.tsx";

interface NewProject {
  readonly name: string;
  readonly description: string;
  readonly monthly_cap: string;
  readonly cap_behavior: "block" | "require_approval";
}

export function CreateProject() {
  const go = useGo();
  const form = useForm<NewProject>({
    initialValues: { name: "", description: "", monthly_cap: "100.00", cap_behavior: "block" },
  });
  const create = async () => {
    const { description, ...values } = form.values;
    const { data } = await api.POST("/projects", { body: { ...values, description: description || null } });
    form.reset();
    if (data !== undefined) go(`/projects/${data.project_id}`);
  };
  return (
    <ActionDialog title="Create a project" button="Create project" action="Create the project" run={create}>
      {(error) => (
        <Stack>
          <TextInput
            label="Name"
            placeholder="Shop backend"
            required
            maxLength={100}
            data-autofocus
            error={invalidFields(error)["name"]}
            {...form.getInputProps("name")}
          />
          <Textarea label="Description" autosize maxLength={1_000} {...form.getInputProps("description")} />
          <CapFields
            values={form.values}
            change={(values) => form.setValues(values)}
            error={invalidFields(error)["monthly_cap"]}
          />
        </Stack>
      )}
    </ActionDialog>
  );
}
