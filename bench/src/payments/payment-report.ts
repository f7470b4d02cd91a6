import type { Comparison } from "../compare.ts";
import type { PaymentCpu } from "./cpu-table.ts";
import type { FreezeFigures } from "./measure-freezes.ts";
import type { LagFigures } from "./measure-lag.ts";

export interface PaymentFigures {
  readonly comparisons: readonly Comparison[];
  readonly freezes: FreezeFigures;
  readonly cpu: PaymentCpu;
}

export function paymentLines({ comparisons, freezes, cpu }: PaymentFigures): string[] {
  const { paymentP50Ms, paymentP99Ms, freezeP50Ms, freezeP99Ms } = freezes;
  const alone = comparisons[0]?.candidate;
  return [
    "",
    "| latency of payments/send, 16 callers | goal | p50 ms | p99 ms | ratio |",
    "|---|---|---|---|---|",
    ...(alone === undefined
      ? []
      : [
          `| p99 ÷ p50 | ≤ 10 | ${alone.p50Ms.toFixed(0)} | ${alone.p99Ms.toFixed(0)} | **${(alone.p99Ms / alone.p50Ms).toFixed(1)}** |`,
        ]),
    `| payments while wallets freeze (${freezes.refused} of ${freezes.payments} refused) | | ${paymentP50Ms} | ${paymentP99Ms} | |`,
    `| ${freezes.freezes} freezes: p99 ÷ the payments' own | ≤ 2 | ${freezeP50Ms.toFixed(0)} | ${freezeP99Ms.toFixed(0)} | **${(freezeP99Ms / paymentP99Ms).toFixed(1)}** |`,
    ...cpuLines(cpu),
  ];
}

function cpuLines(cpu: PaymentCpu): string[] {
  const { paymentsPerSecond, serverMicros, server, postgresMicros, postgres } = cpu;
  return [
    "",
    `CPU of payments/send, 16 callers, ${paymentsPerSecond.toFixed(0)} payments/s with the profiler:`,
    "",
    `| server: ${serverMicros.toFixed(0)} µs/payment | share |`,
    "|---|---|",
    ...shareLines(server),
    "",
    `| PostgreSQL: ${postgresMicros?.toFixed(0) ?? "unknown"} µs/payment | share of planning and execution |`,
    "|---|---|",
    ...shareLines(postgres),
  ];
}

function shareLines(shares: Readonly<Record<string, number>>): string[] {
  return Object.entries(shares).map(([name, share]) => `| ${name} | ${(share * 100).toFixed(1)} % |`);
}

export function lagLines({ seconds, paymentsPerSecond, largest, last }: LagFigures): string[] {
  const line = (title: string, goal: number, name: keyof LagFigures["last"]) =>
    `| ${title} | ≤ ${goal} | **${last[name].toFixed(2)}** | ${largest[name].toFixed(2)} |`;
  return [
    "",
    `Behind the payments after ${seconds} s with ${paymentsPerSecond.toFixed(0)} payments/s:`,
    "",
    "| seconds | goal | at the end | largest |",
    "|---|---|---|---|",
    line("audit linking", 1, "audit"),
    line("event log", 2, "events"),
    line("relay of messages", 2, "outbox"),
  ];
}
