import { Badge, Group, Radio, Stack, Text } from "@mantine/core";
import type { CatalogPlan, Project, Service, ServicePrice } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { formatAmount, formatName } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import type { Field } from "../ui/forms/fields.tsx";

/** What every tab of a project gets. */
export interface TabProps {
  readonly project: Project;
}

export interface ServiceActionProps {
  readonly service: Service;
  readonly started: (operationId: string | undefined) => void;
}

/** The providers of the catalog. */
export function useCatalog(query: { readonly provider?: string; readonly q?: string } = {}) {
  const params = { query: { ...query, limit: 100 } };
  return hooks.useQuery("get", "/projects/catalog", { params }, { placeholderData: (former) => former });
}

export const AT_CAP = { block: "Refuse what costs more", require_approval: "Ask me to approve it" } as const;

/** The inputs for a project's monthly cap, and for what happens at the cap. */
export function capFields({ monthly_cap, cap_behavior }: Pick<Project, "monthly_cap" | "cap_behavior">) {
  const description = "What its services and payments can cost in a calendar month (UTC).";
  const amount = { label: "Monthly cap in US dollars", description, inputMode: "decimal", required: true } as const;
  return [
    { name: "monthly_cap", ...amount, defaultValue: monthly_cap },
    { name: "cap_behavior", label: "At the cap", input: "one", data: AT_CAP, defaultValue: cap_behavior },
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

/** Returns a price as text: `Free`, `25.00 USD per month`, `By use`. */
export function priceText({ type, amount, interval = "month" }: ServicePrice | CatalogPlan["pricing"]): string {
  if (type === "free") return "Free";
  if (type === "component") return "Included in another plan";
  return amount === undefined ? "By use" : `${formatAmount(amount, "USD")} per ${interval}`;
}

/** Returns the most that a month may cost: the price that was shown. A higher one is then refused. */
export function shownCost({ pricing }: CatalogPlan): string | undefined {
  return pricing.interval === "year" ? undefined : pricing.amount;
}

interface PlanChoiceProps {
  readonly plans: readonly CatalogPlan[];
  readonly plan: string | null;
  readonly change: (plan: string) => void;
}

/** Chooses a plan by its price. */
export function PlanChoice({ plans, plan: chosen, change }: PlanChoiceProps) {
  return (
    <Radio.Group label="Plan" value={chosen} onChange={change}>
      <Stack gap="xs" mt="xs">
        {plans.map((plan) => (
          <Radio.Card key={plan.plan} value={plan.plan} p="sm">
            <Group wrap="nowrap" align="start">
              <Radio.Indicator />
              <div style={{ flex: 1, minWidth: 0 }}>
                <Group justify="space-between" gap="xs">
                  <Text size="sm" fw={600}>
                    {plan.plan}
                  </Text>
                  <Badge variant="light" color={plan.pricing.type === "free" ? "teal" : "indigo"} tt="none">
                    {priceText(plan.pricing)}
                  </Badge>
                </Group>
                <Text size="xs" c="dimmed">
                  {detailsOf(plan).join(" · ")}
                </Text>
              </div>
            </Group>
          </Radio.Card>
        ))}
      </Stack>
    </Radio.Group>
  );
}

/** Returns what a plan includes, and what it costs beyond its price. */
function detailsOf({ pricing, limits, preauthorization_amount, billed_by, proration }: CatalogPlan): string[] {
  const words = (name: string) => formatName(name).toLowerCase();
  return [
    ...Object.entries(limits ?? {}).map(([name, limit]) => `${limit} ${words(name)}`),
    ...(pricing.usage ?? []).map(({ metric, unit_price }) => `${words(metric)} at ${unit_price} USD`),
    ...(pricing.type === "usage" ? [`reserves ${formatAmount(preauthorization_amount ?? "0", "USD")} a month`] : []),
    ...(pricing.type === "free" ? [] : [billed_by === "purser" ? "billed by Purser" : "billed by the provider"]),
    ...(proration === "daily" ? ["charged by the day"] : []),
  ];
}
