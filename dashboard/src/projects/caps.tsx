import { Progress, Stack, Text } from "@mantine/core";
import type { Project } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import type { Field } from "../ui/forms/fields.tsx";
import { Amount, Dimmed } from "../ui/values.tsx";

interface CapBarProps {
  readonly spent: string;
  readonly reserved: string;
  readonly cap: string | null;
  /** Names the bar for screen readers: `Spent of the cap of Atlas`. */
  readonly label: string;
}

/** What is spent and reserved of a monthly cap: a bar with both parts, and the amounts. Without a cap, only the amounts. */
export function CapBar({ spent, reserved, cap, label }: CapBarProps) {
  const percent = (amount: string) => (Number(cap) > 0 ? Math.min(100, (Number(amount) / Number(cap)) * 100) : 0);
  const [spentPercent, reservedPercent] = [percent(spent), percent(reserved)];
  const used = spentPercent + reservedPercent;
  const color = used >= 100 ? "red" : used >= 80 ? "orange" : "indigo";
  return (
    <Stack gap={4} miw={120} maw={320}>
      <Text size="sm" style={{ whiteSpace: "nowrap" }}>
        <Amount amount={spent} currency={cap === null ? "USD" : undefined} />
        {cap !== null && " of "}
        {cap !== null && <Amount amount={cap} currency="USD" />}
      </Text>
      {cap !== null && (
        <Progress.Root size="sm">
          <Progress.Section value={spentPercent} color={color} aria-label={label} />
          <Progress.Section
            {...{ value: Math.min(reservedPercent, 100 - spentPercent), color: "indigo.3" }}
            aria-label={`Reserved: ${label}`}
          />
        </Progress.Root>
      )}
      {Number(reserved) > 0 && <Dimmed>{reserved} USD reserved</Dimmed>}
    </Stack>
  );
}

export const AT_CAP = { block: "Refuse what costs more", require_approval: "Ask me to approve it" } as const;

const BEHAVIORS = Object.entries(AT_CAP).map(([value, label]) => ({ value, label }));

/** The inputs for a project's monthly cap, and for what happens at the cap. */
export function capFields({ monthly_cap, cap_behavior }: Pick<Project, "monthly_cap" | "cap_behavior">) {
  const description = "What its services and payments can cost in a calendar month (UTC).";
  const amount = { label: "Monthly cap in US dollars", description, inputMode: "decimal", required: true } as const;
  return [
    { name: "monthly_cap", ...amount, defaultValue: monthly_cap },
    { name: "cap_behavior", label: "At the cap", input: "one", data: BEHAVIORS, defaultValue: cap_behavior },
  ] as const;
}

/** Changes the project's cap, and the caps of single providers. An empty cap of a provider removes it. */
export function EditCaps({ project }: { readonly project: Project }) {
  const { provider_caps: caps, links, project_id } = project;
  const providers = [...new Set([...links.map(({ provider }) => provider), ...Object.keys(caps)])].sort();
  const fields: readonly Field[] = [
    ...capFields(project),
    ...providers.map((name) => {
      return { name, label: `Cap of ${name}`, placeholder: "No cap of its own", defaultValue: caps[name] ?? "" };
    }),
  ];
  return (
    <ActionDialog
      {...{ title: "Change the caps", buttonProps: { variant: "default" }, action: "Save the caps", fields }}
      run={({ monthly_cap, cap_behavior, ...ofProviders }: Readonly<Record<string, string>>) => {
        const provider_caps = Object.entries(ofProviders).map(([provider, cap]) => [provider, cap.trim() || null]);
        const body = { monthly_cap, cap_behavior: cap_behavior as "block" };
        return api.PATCH("/projects/{project_id}", {
          params: { path: { project_id } },
          body: { ...body, provider_caps: provider_caps.length > 0 ? Object.fromEntries(provider_caps) : undefined },
        });
      }}
    />
  );
}
