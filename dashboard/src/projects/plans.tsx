import { Badge, Group, Radio, Select, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import type { CatalogPlan, ServicePrice, ServiceUpgrade } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { formatAmount, formatName } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import type { ServiceActionProps } from "./parts.tsx";
import { SMALL, useCatalog } from "./parts.tsx";

/** Returns a price as text: `Free`, `25.00 USD per month`, `By use`. */
export function priceText({ type, amount, interval = "month" }: ServicePrice | CatalogPlan["pricing"]): string {
  if (type === "free") return "Free";
  if (type === "component") return "Included in another plan";
  return amount === undefined ? "By use" : `${formatAmount(amount, "USD")} per ${interval}`;
}

/** Returns the most that a month may cost: the price that was shown. A higher one is then refused. */
export function shownCost({ pricing }: CatalogPlan): { readonly max_monthly_cost?: string } {
  return pricing.amount === undefined || pricing.interval === "year" ? {} : { max_monthly_cost: pricing.amount };
}

/** Chooses a plan by its price. */
export function PlanChoice(props: {
  readonly plans: readonly CatalogPlan[];
  readonly plan: string | null;
  readonly change: (plan: string) => void;
}) {
  return (
    <Radio.Group label="Plan" value={props.plan} onChange={props.change}>
      <Stack gap="xs" mt="xs">
        {props.plans.map((plan) => (
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

const TIMES = [
  { value: "", label: "Now, or when the month ends if that costs the same" },
  { value: "immediate", label: "Now" },
  { value: "period_end", label: "When the month ends" },
] as const;

/** Moves a service to another plan of its provider, up or down. */
export function ChangePlan({ service, started }: ServiceActionProps) {
  const { project_id, service_id, name } = service;
  const [plan, setPlan] = useState<string | null>(null);
  const [time, setTime] = useState<(typeof TIMES)[number]["value"]>("");
  const catalog = useCatalog({ provider: service.provider });
  const entries = (catalog.data?.data ?? []).flatMap(({ services }) => services);
  const plans = entries.find((entry) => entry.service === service.service)?.plans ?? [];
  const offered = plans.filter((one) => service.allowed_updates.includes(one.plan));
  const change = async () => {
    const chosen = offered.find((one) => one.plan === plan);
    if (chosen === undefined) throw new Error("Choose a plan first.");
    const { data } = await api.POST("/projects/{project_id}/services/{service_id}/upgrade", {
      params: { path: { project_id, service_id } },
      body: {
        plan: chosen.plan,
        expected_current_plan: service.plan,
        ...(time !== "" && { effective: time }),
        ...shownCost(chosen),
      },
    });
    if (data === undefined) return;
    notifications.show({ autoClose: 15_000, title: name, message: outcomeText(data) });
    started(data.operation?.operation_id);
  };
  return (
    <ActionDialog
      title={`Change the plan of ${name}`}
      button="Change plan"
      buttonProps={{ ...SMALL, disabled: service.status !== "active" }}
      action="Change the plan"
      run={change}
    >
      <Stack>
        <Text size="sm">
          Its plan is <strong>{service.plan}</strong>.
        </Text>
        <PlanChoice plans={offered} plan={plan} change={setPlan} />
        <Select
          label="When"
          data={TIMES}
          allowDeselect={false}
          value={time}
          onChange={(value) => setTime(TIMES.find((one) => one.value === value)?.value ?? "")}
        />
      </Stack>
    </ActionDialog>
  );
}

function outcomeText({ service, changed, status, approval, price_change: { proration } }: ServiceUpgrade): string {
  if (approval !== null) return "A person must approve the change first.";
  if (service.pending_plan !== null) return `The plan changes to ${service.pending_plan.plan} when the month ends.`;
  if (!changed) return "Nothing changed: the service has this plan already.";
  if (status === "pending") return "The provider is changing the plan.";
  const difference = proration.startsWith("-") ? `${proration.slice(1)} USD less` : `${proration} USD more`;
  return `The plan is ${service.plan}. This month costs ${difference}.`;
}
