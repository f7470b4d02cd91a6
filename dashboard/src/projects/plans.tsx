import { Badge, Group, Radio, Stack, Text } from "@mantine/core";
import type { CatalogPlan, ServicePrice } from "../api/api-types.ts";
import { formatAmount, formatName } from "../ui/format.ts";

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
