import { execFileSync } from "node:child_process";
import { appendFile } from "node:fs/promises";
import { availableParallelism, cpus } from "node:os";
import type { Comparison, Spread, Timing } from "./compare.ts";
import { CONNECTIONS } from "./measure.ts";
import type { RedisCommands } from "./redis-commands.ts";

const RESULTS = new URL("../RESULTS.md", import.meta.url);

export interface Results {
  readonly at: string;
  /** With a plus where files differed from it. */
  readonly commit: string;
  readonly machine: string;
  readonly method: string;
  readonly comparisons: readonly Comparison[];
  readonly redis: RedisCommands;
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

export function resultsText({ at, commit, machine, method, comparisons, redis }: Results): string {
  const lines = [
    `## ${at.slice(0, 16).replace("T", " ")} UTC, commit ${commit}`,
    "",
    `${machine}. ${method}.`,
    "",
    "| | goal | requests/s, ratio | CPU, ratio | requests/s | server CPU µs/request | p99 ms | server busy |",
    "|---|---|---|---|---|---|---|---|",
    ...comparisons.map(comparisonLine),
    redisLine(redis),
  ];
  return `${lines.join("\n")}\n`;
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

function spreadText({ median, min, max }: Spread): string {
  return `**${median.toFixed(2)}** (${min.toFixed(2)}–${max.toFixed(2)})`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
