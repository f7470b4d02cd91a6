import { execFileSync } from "node:child_process";
import { appendFile } from "node:fs/promises";
import { availableParallelism, cpus } from "node:os";
import type { Comparison, Timing } from "./compare.ts";
import { CONNECTIONS } from "./measure.ts";
import type { AuditFigures } from "./measure-audit-verify.ts";
import type { Ed25519Figures } from "./measure-ed25519.ts";
import type { IdleFigures } from "./measure-idle.ts";
import type { KeyFigures } from "./measure-keys.ts";
import type { LoginFigures } from "./measure-logins.ts";
import type { PolicyFigures } from "./measure-policy.ts";
import type { LagFigures } from "./payments/measure-lag.ts";
import { CALLERS } from "./payments/payers.ts";
import { lagLines, type PaymentFigures, paymentLines } from "./payments/payment-report.ts";
import type { RedisCommands } from "./redis-commands.ts";
import type { Latencies, SagaFigures } from "./sagas/measure-sagas.ts";
import type { SdkFigures } from "./sdk/measure-sdk.ts";
import type { Spread } from "./spread.ts";
import { type WebhookFigures, webhookLines } from "./webhooks/measure-webhooks.ts";

const SDK_GOALS_MICROS: Readonly<Record<string, number>> = { TypeScript: 150, Python: 600 };
const RESULTS = new URL("../RESULTS.md", import.meta.url);

export interface Results {
  readonly at: string;
  /** Abbreviated commit hash, followed by `+` if the working tree has uncommitted changes. */
  readonly commit: string;
  readonly machine: string;
  readonly method: string;
  readonly comparisons: readonly Comparison[];
  /** This and the following fields are undefined if the run did not measure them. */
  readonly redis: RedisCommands | undefined;
  readonly payments: PaymentFigures | undefined;
  readonly paymentLag: LagFigures | undefined;
  readonly webhooks: WebhookFigures | undefined;
  readonly keys: KeyFigures | undefined;
  readonly ed25519: Ed25519Figures | undefined;
  readonly policy: PolicyFigures | undefined;
  /** By the SDK's language. */
  readonly sdks: Readonly<Record<string, SdkFigures>> | undefined;
  readonly logins: LoginFigures | undefined;
  readonly idle: IdleFigures | undefined;
  readonly audit: AuditFigures | undefined;
  readonly sagas: SagaFigures | undefined;
}

export function describeRun({ rounds, roundSeconds }: Timing) {
  return {
    at: new Date().toISOString(),
    commit: `${git("rev-parse", "--short", "HEAD")}${git("status", "--porcelain") === "" ? "" : "+"}`,
    machine: `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? "unknown"}), Node ${process.version}`,
    method:
      `autocannon with ${CONNECTIONS} connections (${CALLERS} where the row says ${CALLERS} callers), a new signature for each signed request; ` +
      `${rounds} round${rounds === 1 ? "" : "s"} of ${roundSeconds} s for each of the two servers, alternately; ` +
      "servers, generator and PostgreSQL (fsync on) share these cores",
  };
}

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: import.meta.dirname, encoding: "utf8" }).trim();
}

export async function appendResults(results: Results): Promise<void> {
  await appendFile(RESULTS, `\n${resultsText(results)}`);
}

export function resultsText(results: Results): string {
  const { payments, paymentLag, webhooks } = results;
  const { at, commit, machine, method, ed25519, policy, sdks, logins, idle, audit, sagas } = results;
  const lines = [
    `## ${at.slice(0, 16).replace("T", " ")} UTC, commit ${commit}`,
    "",
    `${machine}. ${method}.`,
    "",
    ...requestLines(results),
    ...(payments === undefined ? [] : paymentLines(payments)),
    ...(paymentLag === undefined ? [] : lagLines(paymentLag)),
    ...(webhooks === undefined ? [] : webhookLines(webhooks)),
    ...(ed25519 === undefined ? [] : ed25519Lines(ed25519)),
    ...(sdks === undefined ? [] : sdkLines(sdks)),
    ...(policy === undefined ? [] : policyLines(policy)),
    ...(logins === undefined ? [] : loginLines(logins)),
    ...(idle === undefined ? [] : idleLines(idle)),
    ...(audit === undefined ? [] : auditLines(audit)),
    ...(sagas === undefined ? [] : sagaLines(sagas)),
  ];
  return `${lines.join("\n")}\n`;
}

function requestLines({ comparisons, payments, keys, redis }: Results): string[] {
  const lines = [
    ...comparisons.map(comparisonLine),
    ...(payments?.comparisons ?? []).map(comparisonLine),
    ...(keys === undefined ? [] : [comparisonLine(keys.later)]),
    ...(redis === undefined ? [] : [redisLine(redis)]),
  ];
  if (lines.length === 0) return [];
  return [
    "| | goal | requests/s, ratio | CPU, ratio | requests/s | server CPU µs/request | p99 ms | server busy |",
    "|---|---|---|---|---|---|---|---|",
    ...lines,
    ...(keys === undefined ? [] : firstRequestLines(keys.first)),
  ];
}

function firstRequestLines({
  goal,
  manyKeys,
  fewKeys,
  manyMedianMs,
  fewMedianMs,
  ratio,
}: KeyFigures["first"]): string[] {
  return [
    "",
    `| first request with a key, median ms | goal, ratio | ${manyKeys} keys | ${fewKeys} keys | ratio |`,
    "|---|---|---|---|---|",
    `| | ≥ ${goal.toFixed(2)} | ${spreadText(manyMedianMs)} | ${spreadText(fewMedianMs)} | ${spreadText(ratio)} |`,
  ];
}

function sdkLines(sdks: NonNullable<Results["sdks"]>): string[] {
  const rows = Object.entries(sdks).map(([language, { bareMedianMicros, sdkMedianMicros }]) => {
    const goal = SDK_GOALS_MICROS[language];
    const micros = [sdkMedianMicros - bareMedianMicros, sdkMedianMicros, bareMedianMicros].map((each) =>
      each.toFixed(0),
    );
    return `| ${language} | ≤ ${goal} | **${micros[0]}** | ${micros[1]} | ${micros[2]} |`;
  });
  return [
    "",
    "| a call by an SDK, median µs | goal | more than the request | call | request with precomputed headers |",
    "|---|---|---|---|---|",
    ...rows,
  ];
}

function ed25519Lines({ signatures, medianMicros, p99Micros }: Ed25519Figures): string[] {
  return [
    "",
    `| verification of an Ed25519 signature, ${signatures} samples | goal | median | p99 |`,
    "|---|---|---|---|",
    `| µs | ≤ 120 | **${medianMicros.toFixed(0)}** | ${p99Micros.toFixed(0)} |`,
  ];
}

function policyLines({ rules, evaluations, medianMicros, p99Micros }: PolicyFigures): string[] {
  return [
    "",
    `| evaluation of a policy with ${rules} rules, ${evaluations} samples | goal | median | p99 |`,
    "|---|---|---|---|",
    `| µs | ≤ 50 | **${medianMicros.toFixed(1)}** | ${p99Micros.toFixed(1)} |`,
  ];
}

function loginLines(figures: LoginFigures): string[] {
  const { concurrentLogins, requestsPerSecond, timing, alone, duringLogins, p99Ratio } = figures;
  return [
    "",
    `Signed GETs with one select, ${requestsPerSecond} per second, without logins and during logins by ${concurrentLogins} clients; ${timing.rounds} × ${timing.roundSeconds} s each, alternately:`,
    "",
    "| | goal | without logins | during logins | ratio |",
    "|---|---|---|---|---|",
    `| signed: p50 ms | | ${spreadText(alone.p50Ms)} | ${spreadText(duringLogins.p50Ms)} | |`,
    `| signed: p99 ms | ≤ 3.00 | ${spreadText(alone.p99Ms)} | ${spreadText(duringLogins.p99Ms)} | ${spreadText(p99Ratio)} |`,
    `| logins/s | | | ${spreadText(figures.loginsPerSecond, 0)} | |`,
  ];
}

function idleLines({ rounds, roundSeconds, ...figures }: IdleFigures): string[] {
  return [
    "",
    `An idle process with both roles (API and worker), ${rounds} × ${roundSeconds} s:`,
    "",
    "| | goal | |",
    "|---|---|---|",
    `| CPU, % of a core | ≤ 1 | ${spreadText(figures.cpuPercent)} |`,
    `| transactions/s | | ${spreadText(figures.transactionsPerSecond, 1)} |`,
  ];
}

function auditLines({ entries, rounds, seconds, aboveIdleMiB, cpuSeconds }: AuditFigures): string[] {
  return [
    "",
    `GET /audit/verify of ${entries} entries, ${rounds} time${rounds === 1 ? "" : "s"}, each in a new process:`,
    "",
    "| | goal | |",
    "|---|---|---|",
    `| seconds | ≤ 5 | ${spreadText(seconds)} |`,
    `| MiB above idle | ≤ 200 | ${spreadText(aboveIdleMiB, 0)} |`,
    `| server CPU, seconds | | ${spreadText(cpuSeconds)} |`,
  ];
}

function sagaLines(figures: SagaFigures): string[] {
  const { timing, callers, oneCaller, rotations, manyCallers, sharedProjects } = figures;
  const { purser, baseline, ratio } = manyCallers;
  const latencyLines = (caller: string, goalMs: number, latencies: Latencies) => [
    `| ${caller}: p50 ms | | ${latencies.purser.p50Ms.toFixed(1)} | ${latencies.baseline.p50Ms.toFixed(1)} |`,
    `| ${caller}: p99 ms | | ${latencies.purser.p99Ms.toFixed(1)} | ${latencies.baseline.p99Ms.toFixed(1)} |`,
    `| ${caller}: added per step, ms | ≤ ${goalMs} | **${latencies.addedMsPerStep.toFixed(2)}** | |`,
  ];
  return [
    "",
    `The saga that adds a service: ${timing.pairs} requests by one caller to each server, alternately; then ${timing.rounds} × ${timing.roundSeconds} s by ${callers} callers.`,
    "",
    "| POST …/services until the service is active | goal | Purser | baseline |",
    "|---|---|---|---|",
    ...latencyLines("1 caller", 4, oneCaller),
    `| ${callers} callers: sagas/s | ≥ 60 | ${spreadText(purser.sagasPerSecond, 0)} | ${spreadText(baseline.sagasPerSecond, 0)} |`,
    `| ${callers} callers: sagas/s, ratio | ≥ 0.50 | ${spreadText(ratio)} | |`,
    `| ${callers} callers: server CPU ms/saga | | ${purser.cpuMsPerSaga.toFixed(1)} | ${baseline.cpuMsPerSaga.toFixed(1)} |`,
    `| ${callers} callers: round trips/saga | | ${purser.roundTripsPerSaga.toFixed(0)} | ${baseline.roundTripsPerSaga.toFixed(0)} |`,
    `| ${callers} callers in the same ten projects: sagas/s | | ${spreadText(sharedProjects.sagasPerSecond, 0)} | |`,
    ...latencyLines("1 caller that rotates a service's credentials", 5, rotations),
  ];
}

function comparisonLine({ title, goal, throughput, cpu, candidate, baseline }: Comparison): string {
  const both = (digits: number, figure: "requestsPerSecond" | "cpuMicrosPerRequest" | "p99Ms") =>
    `${candidate[figure].toFixed(digits)} : ${baseline[figure].toFixed(digits)}`;
  const busy = `${percent(candidate.busy)} : ${percent(baseline.busy)}`;
  const cells = [
    title,
    `≥ ${goal.toFixed(2)}`,
    spreadText(throughput),
    spreadText(cpu),
    both(0, "requestsPerSecond"),
    both(1, "cpuMicrosPerRequest"),
    both(0, "p99Ms"),
    busy,
  ];
  return `| ${cells.join(" | ")} |`;
}

function redisLine(redis: RedisCommands): string {
  const title = "Redis commands per signed request";
  if ("skipped" in redis) return `| ${title} | 1 | skipped: ${redis.skipped} | | | | | |`;
  const { commands, requests, byName } = redis;
  const each = `**${commands / requests}** (${requests} requests: ${byName})`;
  return `| ${title} | 1 | ${each} | | | | | |`;
}

function spreadText({ median, min, max }: Spread, digits = 2): string {
  return `**${median.toFixed(digits)}** (${min.toFixed(digits)}–${max.toFixed(digits)})`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
