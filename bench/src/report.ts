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
import type { RedisCommands } from "./redis-commands.ts";
import type { SagaFigures } from "./sagas/measure-sagas.ts";
import type { Spread } from "./spread.ts";

const RESULTS = new URL("../RESULTS.md", import.meta.url);

export interface Results {
  readonly at: string;
  /** With a plus where files differed from it. */
  readonly commit: string;
  readonly machine: string;
  readonly method: string;
  readonly comparisons: readonly Comparison[];
  /** Undefined, as those below: the run was about something else. */
  readonly redis: RedisCommands | undefined;
  readonly keys: KeyFigures | undefined;
  readonly ed25519: Ed25519Figures | undefined;
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
      `autocannon with ${CONNECTIONS} connections, each request signed anew where the pair is signed; ` +
      `${rounds} round${rounds === 1 ? "" : "s"} of ${roundSeconds} s, the two servers in turn; ` +
      "servers, generator and PostgreSQL (fsync on) on these cores",
  };
}

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: import.meta.dirname, encoding: "utf8" }).trim();
}

/** Adds the run to `RESULTS.md`. */
export async function appendResults(results: Results): Promise<void> {
  await appendFile(RESULTS, `\n${resultsText(results)}`);
}

export function resultsText(results: Results): string {
  const { at, commit, machine, method, ed25519, logins, idle, audit, sagas } = results;
  const lines = [
    `## ${at.slice(0, 16).replace("T", " ")} UTC, commit ${commit}`,
    "",
    `${machine}. ${method}.`,
    "",
    ...requestLines(results),
    ...(ed25519 === undefined ? [] : ed25519Lines(ed25519)),
    ...(logins === undefined ? [] : loginLines(logins)),
    ...(idle === undefined ? [] : idleLines(idle)),
    ...(audit === undefined ? [] : auditLines(audit)),
    ...(sagas === undefined ? [] : sagaLines(sagas)),
  ];
  return `${lines.join("\n")}\n`;
}

function requestLines({ comparisons, keys, redis }: Results): string[] {
  const lines = [
    ...comparisons.map(comparisonLine),
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
    `| first request of a key, median ms | goal, ratio | among ${manyKeys} keys | among ${fewKeys} | ratio |`,
    "|---|---|---|---|---|",
    `| | ≥ ${goal.toFixed(2)} | ${spreadText(manyMedianMs)} | ${spreadText(fewMedianMs)} | ${spreadText(ratio)} |`,
  ];
}

function ed25519Lines({ signatures, medianMicros, p99Micros }: Ed25519Figures): string[] {
  return [
    "",
    `| an Ed25519 signature verified, ${signatures} of them | goal | median | p99 |`,
    "|---|---|---|---|",
    `| µs | ≤ 120 | **${medianMicros.toFixed(0)}** | ${p99Micros.toFixed(0)} |`,
  ];
}

function loginLines(figures: LoginFigures): string[] {
  const { loginsAtOnce, requestsPerSecond, timing, alone, beside, p99Ratio } = figures;
  return [
    "",
    `Signed GETs with one select, ${requestsPerSecond} a second, alone and beside ${loginsAtOnce} people who log in over and over; ${timing.rounds} × ${timing.roundSeconds} s each, in turn:`,
    "",
    "| | goal | alone | beside logins | ratio |",
    "|---|---|---|---|---|",
    `| signed: p50 ms | | ${spreadText(alone.p50Ms)} | ${spreadText(beside.p50Ms)} | |`,
    `| signed: p99 ms | ≤ 3.00 | ${spreadText(alone.p99Ms)} | ${spreadText(beside.p99Ms)} | ${spreadText(p99Ratio)} |`,
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

function auditLines({
  entries,
  rounds,
  seconds,
  aboveIdleMiB,
  cpuSeconds,
}: AuditFigures): string[] {
  return [
    "",
    `GET /audit/verify of ${entries} entries, ${rounds} time${rounds === 1 ? "" : "s"}, each in a process that has done nothing before:`,
    "",
    "| | goal | |",
    "|---|---|---|",
    `| seconds | ≤ 5 | ${spreadText(seconds)} |`,
    `| MiB above idle | ≤ 200 | ${spreadText(aboveIdleMiB, 0)} |`,
    `| server CPU, seconds | | ${spreadText(cpuSeconds)} |`,
  ];
}

function sagaLines(figures: SagaFigures): string[] {
  const { timing, callers, oneCaller, addedMsPerStep, manyCallers, sharedProjects } = figures;
  const { ours, bare, ratio } = manyCallers;
  const both = (of: (latency: SagaFigures["oneCaller"]["ours"]) => number) =>
    `${of(oneCaller.ours).toFixed(1)} | ${of(oneCaller.bare).toFixed(1)}`;
  return [
    "",
    `The saga: ${timing.pairs} in turn by one caller, then ${timing.rounds} × ${timing.roundSeconds} s by ${callers} callers.`,
    "",
    "| POST …/services, until the service is there | goal | Purser | bare |",
    "|---|---|---|---|",
    `| 1 caller: p50 ms | | ${both(({ p50Ms }) => p50Ms)} |`,
    `| 1 caller: p99 ms | | ${both(({ p99Ms }) => p99Ms)} |`,
    `| 1 caller: added per step, ms | ≤ 4 | **${addedMsPerStep.toFixed(2)}** | |`,
    `| ${callers} callers: sagas/s | ≥ 60 | ${spreadText(ours.sagasPerSecond, 0)} | ${spreadText(bare.sagasPerSecond, 0)} |`,
    `| ${callers} callers: sagas/s, ratio | ≥ 0.50 | ${spreadText(ratio)} | |`,
    `| ${callers} callers: server CPU ms/saga | | ${ours.cpuMsPerSaga.toFixed(1)} | ${bare.cpuMsPerSaga.toFixed(1)} |`,
    `| ${callers} callers: statements/saga | | ${ours.statementsPerSaga.toFixed(0)} | ${bare.statementsPerSaga.toFixed(0)} |`,
    `| ${callers} callers in the same ten projects: sagas/s | | ${spreadText(sharedProjects.sagasPerSecond, 0)} | |`,
  ];
}

function comparisonLine({ title, goal, throughput, cpu, ours, baseline }: Comparison): string {
  const both = (digits: number, figure: "requestsPerSecond" | "cpuMicrosPerRequest" | "p99Ms") =>
    `${ours[figure].toFixed(digits)} : ${baseline[figure].toFixed(digits)}`;
  const busy = `${percent(ours.busy)} : ${percent(baseline.busy)}`;
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
