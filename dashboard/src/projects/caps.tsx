import { Progress, Select, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Project } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { Amount } from "../ui/values.tsx";
import { invalidFields } from "./parts.tsx";

/** What is spent and reserved of a monthly cap: a bar with both parts, and the amounts. Without a cap, only the amounts. */
export function CapBar(props: {
  readonly spent: string;
  readonly reserved: string;
  readonly cap: string | null;
  /** Names the bar for screen readers: `Spent of the cap of Atlas`. */
  readonly label: string;
}) {
  const { spent, reserved, cap, label } = props;
  const percent = (amount: string) => (Number(cap) > 0 ? Math.min(100, (Number(amount) / Number(cap)) * 100) : 0);
  const [spentPercent, reservedPercent] = [percent(spent), percent(reserved)];
  const used = spentPercent + reservedPercent;
  return (
    <Stack gap={4} miw={120} maw={320}>
      <Text size="sm" style={{ whiteSpace: "nowrap" }}>
        <Amount amount={spent} {...(cap === null && { currency: "USD" })} />
        {cap !== null && " of "}
        {cap !== null && <Amount amount={cap} currency="USD" />}
      </Text>
      {cap !== null && (
        <Progress.Root size="sm">
          <Progress.Section
            value={spentPercent}
            color={used >= 100 ? "red" : used >= 80 ? "orange" : "indigo"}
            aria-label={label}
          />
          <Progress.Section
            value={Math.min(reservedPercent, 100 - spentPercent)}
            color="indigo.3"
            aria-label={`Reserved: ${label}`}
          />
        </Progress.Root>
      )}
      {Number(reserved) > 0 && (
        <Text size="xs" c="dimmed">
          <Amount amount={reserved} currency="USD" /> reserved
        </Text>
      )}
    </Stack>
  );
}

type CapValues = Pick<Project, "monthly_cap" | "cap_behavior">;

export const AT_CAP = { block: "Refuse what costs more", require_approval: "Ask me to approve it" } as const;

/** The inputs for a project's monthly cap, and for what happens at the cap. */
export function CapFields(props: {
  readonly values: CapValues;
  readonly change: (values: Partial<CapValues>) => void;
  readonly error: string | undefined;
}) {
  return (
    <>
      <TextInput
        label="Monthly cap in US dollars"
        description="What its services and payments can cost in a calendar month (UTC)."
        inputMode="decimal"
        required
        value={props.values.monthly_cap}
        error={props.error}
        onChange={({ currentTarget }) => props.change({ monthly_cap: currentTarget.value })}
      />
      <Select
        label="At the cap"
        data={Object.entries(AT_CAP).map(([value, label]) => ({ value, label }))}
        allowDeselect={false}
        value={props.values.cap_behavior}
        onChange={(value) => props.change({ cap_behavior: value === "block" ? "block" : "require_approval" })}
      />
    </>
  );
}

/** Changes the project's cap, and the caps of single providers. An empty cap of a provider removes it. */
export function EditCaps({ project }: { readonly project: Project }) {
  const [caps, setCaps] = useState<CapValues>(project);
  const [ofProviders, setOfProviders] = useState<Readonly<Record<string, string>>>(project.provider_caps);
  const shown = [...new Set([...project.links.map(({ provider }) => provider), ...Object.keys(ofProviders)])].sort();
  const save = () => {
    const changed = Object.entries(ofProviders).map(([provider, cap]) => [provider, cap.trim() === "" ? null : cap]);
    return api.PATCH("/projects/{project_id}", {
      params: { path: { project_id: project.project_id } },
      body: {
        monthly_cap: caps.monthly_cap,
        cap_behavior: caps.cap_behavior,
        ...(changed.length > 0 && { provider_caps: Object.fromEntries(changed) }),
      },
    });
  };
  return (
    <ActionDialog title="Change the caps" buttonProps={{ variant: "default" }} action="Save the caps" run={save}>
      {(error) => {
        const errors = invalidFields(error);
        return (
          <Stack>
            <CapFields
              values={caps}
              change={(changed) => setCaps({ ...caps, ...changed })}
              error={errors["monthly_cap"]}
            />
            {shown.map((provider) => (
              <TextInput
                key={provider}
                label={`Cap of ${provider}`}
                placeholder="No cap of its own"
                inputMode="decimal"
                value={ofProviders[provider] ?? ""}
                error={errors[provider]}
                onChange={({ currentTarget: { value } }) => setOfProviders({ ...ofProviders, [provider]: value })}
              />
            ))}
          </Stack>
        );
      }}
    </ActionDialog>
  );
}
