import "@mantine/charts/styles.css";
import type { BarChartProps } from "@mantine/charts";
import { lazy, Suspense } from "react";
import { formatDay } from "../format.ts";
import { Bars } from "../page.tsx";

/** Loaded with the first chart, because it is larger than all the rest. */
const BarChart = lazy(() => import("@mantine/charts").then((module) => ({ default: module.BarChart })));

interface DayChartProps extends Pick<BarChartProps, "series" | "withLegend" | "valueFormatter"> {
  /** A value for each series and day. The date is like `2026-11-30`. */
  readonly days: readonly { readonly date: string }[];
}

/** Stacked bars for each day. */
export function DayChart({ days, ...props }: DayChartProps) {
  const data = days.map(({ date, ...values }) => ({ ...values, date: formatDay(date) }));
  return (
    <Suspense fallback={<Bars lines={6} />}>
      <BarChart h={240} data={data} dataKey="date" type="stacked" maxBarWidth={48} {...props} />
    </Suspense>
  );
}
