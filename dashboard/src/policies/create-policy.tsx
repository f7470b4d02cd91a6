import { MultiSelect, Radio, Stack, TagsInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { api } from "../api/client.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { useAgents, usePolicies } from "../ui/names.tsx";
import { useGo } from "../ui/navigation.tsx";
import { TEMPLATES, type Template, type TemplateName } from "./templates.ts";

/** Makes a policy from a template, and opens it. */
export function CreatePolicy() {
  const go = useGo();
  const agents = useAgents();
  const starter = usePolicies()?.find((policy) => policy.starter);
  const form = useForm({
    initialValues: {
      template: "daily" as TemplateName,
      name: "",
      amount: "10.00",
      payees: [] as string[],
      agents: [] as string[],
    },
  });
  const { name, agents: agent_ids, ...input } = form.values;
  const { needs, rules }: Template = TEMPLATES[input.template];
  const create = async () => {
    const body = { name, rules: [...rules({ ...input, starter })], applies_to: { agent_ids } };
    const { data } = await api.POST("/policies", { body });
    form.reset();
    if (data !== undefined) go(`/policies/${data.policy_id}`);
  };
  return (
    <ActionDialog title="Create a policy" button="Create policy" action="Create the policy" size="lg" run={create}>
      <Stack>
        <Radio.Group label="Template" {...form.getInputProps("template")}>
          <Stack gap="xs" mt="xs">
            {Object.entries(TEMPLATES).map(([value, { label, description }]) => (
              <Radio key={value} value={value} label={label} description={description} />
            ))}
          </Stack>
        </Radio.Group>
        {needs === "amount" && <TextInput label="USDC a day" required {...form.getInputProps("amount")} />}
        {needs === "payees" && (
          <TagsInput
            label="Payees"
            description="Addresses. Press Enter after each."
            {...form.getInputProps("payees")}
          />
        )}
        <TextInput label="Name" placeholder="Buyers" required maxLength={100} {...form.getInputProps("name")} />
        <MultiSelect
          label="Agents"
          description="The policy applies to them from their next operation on."
          searchable
          data={agents}
          {...form.getInputProps("agents")}
        />
      </Stack>
    </ActionDialog>
  );
}
