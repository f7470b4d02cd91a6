import { Checkbox, List, SegmentedControl, Select, Text, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import type { KillSwitchRequest } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { type Option, useAgents, useProjects } from "../ui/names.tsx";
import { useGo, useMode } from "../ui/navigation.tsx";
import { Section } from "../ui/section.tsx";

type Scope = KillSwitchRequest["scope"];

const SCOPES = [
  { value: "agent", label: "An agent" },
  { value: "project", label: "A project" },
  { value: "developer", label: "Everything" },
];

/** What happens, in this order. */
const EFFECTS: Readonly<Record<Scope, readonly string[]>> = {
  agent: [
    "The agent and its sub-agents are suspended.",
    "Their wallets are frozen.",
    "Their approvals and payments that wait are canceled.",
    "API keys that are bound only to them are revoked.",
  ],
  project: [
    "The project is suspended: its environments cannot be pulled.",
    "Its agents and their sub-agents are suspended, and their wallets are frozen.",
    "Approvals and payments of the project and these agents that wait are canceled.",
    "API keys that are bound to the project, or only to these agents, are revoked.",
  ],
  developer: [
    "All projects and agents are suspended.",
    "All wallets are frozen.",
    "All approvals and payments that wait are canceled.",
    "All API keys are revoked. You stay signed in here.",
  ],
};

export function TriggerForm() {
  const mode = useMode();
  const [scope, setScope] = useState<Scope>("agent");
  const [id, setId] = useState<string | null>(null);
  const options = useTargets(scope);
  const target = scope === "developer" ? options[0] : options.find(({ value }) => value === id);
  const choose = (next: string) => {
    setScope(next as Scope);
    setId(null);
  };
  return (
    <Section title={`Stop in ${mode} mode`}>
      <SegmentedControl aria-label="What to stop" value={scope} data={SCOPES} onChange={choose} mr="auto" maw="100%" />
      {scope !== "developer" && (
        <Select
          {...{ label: scope === "agent" ? "Agent" : "Project", placeholder: "Choose one", searchable: true, maw: 420 }}
          data={options}
          value={id}
          onChange={setId}
        />
      )}
      <Effects scope={scope} />
      <Trigger key={`${scope} ${id}`} scope={scope} target={target} />
    </Section>
  );
}

function Effects({ scope }: { readonly scope: Scope }) {
  return (
    <List size="sm" spacing={2}>
      {EFFECTS[scope].map((effect) => (
        <List.Item key={effect}>{effect}</List.Item>
      ))}
    </List>
  );
}

/** Returns what can be stopped with this scope. */
function useTargets(scope: Scope): readonly Option[] {
  const [agents, projects] = [useAgents(), useProjects()];
  const { data: developer } = hooks.useQuery("get", "/developers/dashboard/me");
  if (scope !== "developer") return scope === "agent" ? agents : projects;
  return developer === undefined ? [] : [{ value: developer.developer_id, label: "everything" }];
}

function Trigger({ scope, target }: { readonly scope: Scope; readonly target: Option | undefined }) {
  const go = useGo();
  const form = useForm({ initialValues: { reason: "", onchain: true, rotate_env: true } });
  const title = `Stop ${target?.label ?? `the ${scope}`}`;
  const trigger = async () => {
    const { data } = await api.POST("/kill-switch", { body: { scope, id: target?.value ?? "", ...form.values } });
    if (data !== undefined) go(`/kill-switch/${data.kill_switch_id}`);
  };
  const checkbox = (name: "onchain" | "rotate_env") => form.getInputProps(name, { type: "checkbox" });
  return (
    <ActionDialog
      {...{ title, action: title, isDangerous: true, typeToConfirm: target?.label ?? "", run: trigger }}
      buttonProps={{ color: "red", disabled: target === undefined, mr: "auto" }}
    >
      <Effects scope={scope} />
      <Text size="sm">
        What is suspended or frozen can be resumed later, one by one. What is canceled or revoked stays so.
      </Text>
      <Textarea label="Reason" required maxLength={500} {...form.getInputProps("reason")} />
      <Checkbox label="Freeze the wallets on their chains too" {...checkbox("onchain")} />
      <Checkbox label="Rotate the credentials of services that the target could read" {...checkbox("rotate_env")} />
    </ActionDialog>
  );
}
