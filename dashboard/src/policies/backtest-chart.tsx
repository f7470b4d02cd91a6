import "@mantine/charts/styles.css";
import { BarChart } from "@mantine/charts";
import type { Backtest } from "../api/api-types.ts";

const SERIES = [
  { name: "allowed", label: "Allowed", color: "teal.7" },
  { name: "asked", label: "A person is asked", color: "orange.6" },
  { name: "refused", label: "Refused", color: "red.7" },
];

/** The decisions of each day, stacked. */
export function BacktestChart({ days }: { readonly days: Backtest["by_day"] }) {
  return <BarChart h={240} data={days} dataKey="date" type="stacked" series={SERIES} withLegend maxBarWidth={48} />;
}
