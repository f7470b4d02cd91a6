import { parseArgs } from "node:util";
import { startRedis } from "../../service/test/fast-state/redis.ts";
import { type Comparison, compare, type Pair, type Timing } from "./compare.ts";
import { type AuditFigures, measureAuditVerify } from "./measure-audit-verify.ts";
import { measureEd25519 } from "./measure-ed25519.ts";
import { type IdleFigures, measureIdle } from "./measure-idle.ts";
import { measureKeys } from "./measure-keys.ts";
import { measureLogins } from "./measure-logins.ts";
import { measurePolicy } from "./measure-policy.ts";
import { measurePaymentCpu } from "./payments/cpu-table.ts";
import { measureFreezes } from "./payments/measure-freezes.ts";
import { type LagFigures, measurePaymentLag } from "./payments/measure-lag.ts";
import type { PaymentFigures } from "./payments/payment-report.ts";
import { countRedisCommands } from "./redis-commands.ts";
import { appendResults, describeRun, type Results, resultsText } from "./report.ts";
import { measureSagas, type SagaTiming } from "./sagas/measure-sagas.ts";
import { createScenario, type Scenario } from "./scenario.ts";
import { measurePythonSdk, measureTypeScriptSdk } from "./sdk/measure-sdk.ts";
import { measureWebhooks, type WebhookFigures } from "./webhooks/measure-webhooks.ts";

const { values: options } = parseArgs({
  options: {
    /** Runs one short round, to check that the benchmarks work. */
    quick: { type: "boolean", default: false },
    /** Runs only these parts. The usage text lists all parts. */
    only: { type: "string", multiple: true },
    /**
     * Folder of a clone of an earlier commit, in which `npm ci` has run. The `env-pull` part compares this checkout
     * with the clone, in addition to the baseline.
     */
    before: { type: "string" },
    /** Appends the results to RESULTS.md even if `--only` is given. */
    keep: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    /** Folder for the servers' CPU profiles. */
    profile: { type: "string" },
    help: { type: "boolean", short: "h" },
  },
});

if (options.help) {
  console.log(`Usage: npm run bench -- [options]

Compares the speed of Purser with baselines on this machine and appends the ratios to bench/RESULTS.md.

  --quick        run one short round; append nothing
  --only PART    run one part: requests, projects, projects-flat, env-pull, fiat, ledger, budgets, decisions, money, networks, live-payments, processes, purge,
                 payments, payments-flat, overview-flat, payments-lag, webhooks, keys, redis, ed25519, policy, sdk, logins, idle, audit, saga (can be repeated; appends nothing without --keep)
  --before DIR   also compare env-pull with this clone of an earlier commit, in which npm ci has run
  --keep         append the results of a run with --only
  --json         print JSON
  --profile DIR  write CPU profiles of the servers to this folder`);
  process.exit();
}

const timing: Timing = options.quick
  ? { rounds: 1, roundSeconds: 2, warmUpSeconds: 1 }
  : { rounds: 5, roundSeconds: 4, warmUpSeconds: 5 };
const sagaTiming: SagaTiming = { ...timing, pairs: options.quick ? 40 : 400 };

const AUDIT_ENTRIES = 100_000;
/** How many times as many payments and wallets the larger database has. */
const FLAT_FACTOR = options.quick ? 20 : 1_000;
/** The rows of the smaller table. */
const PURGE_ROWS = options.quick ? 100_000 : 1_000_000;
const FREEZE_SECONDS = options.quick ? 5 : 20;
const LAG_SECONDS = options.quick ? 10 : 60;
const WEBHOOKS = options.quick ? { eventsPerTenant: 100, seconds: 5 } : { eventsPerTenant: 1_000, seconds: 30 };

logProgress("starting PostgreSQL");
const scenario = await createScenario({ profileDir: options.profile });
process.once("SIGINT", () => void scenario.close().finally(() => process.exit(130)));
try {
  const results = await run(scenario);
  console.log(options.json ? JSON.stringify(results, null, 2) : resultsText(results));
  if (!options.quick && (options.keep || options.only === undefined)) await appendResults(results);
} finally {
  await scenario.close();
}

async function run(scenario: Scenario): Promise<Results> {
  const described = describeRun(timing);
  const isSelected = (part: string) => options.only?.includes(part) ?? true;
  const when = async <Figures>(part: string, measure: () => Figures | Promise<Figures>) =>
    isSelected(part) ? await measure() : undefined;
  return {
    ...described,
    comparisons: await compareSelected(scenario, isSelected),
    payments: await when("payments", () => comparePayments(scenario)),
    paymentLag: await when("payments-lag", () => measureLag(scenario)),
    webhooks: await when("webhooks", () => measureDeliveries(scenario)),
    redis: await when("redis", () => countCommands(scenario)),
    keys: await when("keys", () => compareKeys(scenario)),
    ed25519: await when("ed25519", measureEd25519),
    policy: await when("policy", measurePolicy),
    sdks: await when("sdk", measureSdks),
    logins: await when("logins", () => logIn(scenario)),
    idle: await when("idle", () => runIdle(scenario)),
    audit: await when("audit", () => verifyAudit(scenario)),
    sagas: await when("saga", () => runSagas(scenario)),
  };
}

async function compareSelected(scenario: Scenario, isSelected: (part: string) => boolean): Promise<Comparison[]> {
  const parts: Readonly<Record<string, () => Promise<Comparison[]>>> = {
    requests: () => compareRequests(scenario),
    projects: () => compareProjects(scenario),
    "projects-flat": () => compareFlatProjects(scenario),
    "env-pull": () => compareEnvPulls(scenario),
    fiat: () => compareFiat(scenario),
    ledger: async () => compareAll([await scenario.startLedgerPair()]),
    budgets: async () => compareAll([await scenario.startBudgetPair()]),
    decisions: async () => compareAll([await scenario.startDecisionPair()]),
    "payments-flat": () => compareFlatPayments(scenario),
    "overview-flat": async () => compareAll([await scenario.startFlatOverviewPair(FLAT_FACTOR)]),
    money: async () => compareAll([await scenario.startMoneyPair()]),
    purge: async () => compareAll([await scenario.startPurgePair(PURGE_ROWS)]),
    processes: () => compareProcesses(scenario),
    networks: async () => compareAll(await scenario.startNetworkPairs()),
    "live-payments": async () => compareAll(await scenario.startLivePaymentPairs()),
  };
  const comparisons: Comparison[] = [];
  for (const [part, run] of Object.entries(parts)) if (isSelected(part)) comparisons.push(...(await run()));
  return comparisons;
}

async function compareRequests({ startPairs }: Scenario): Promise<Comparison[]> {
  return compareAll(await startPairs());
}

async function compareAll(pairs: readonly Pair[]): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const pair of pairs) {
    logProgress(pair.title);
    comparisons.push(await compare(pair, timing));
  }
  return comparisons;
}

async function compareProjects({ startProjectPairs }: Scenario): Promise<Comparison[]> {
  logProgress("creating a thousand developers");
  return compareAll(await startProjectPairs());
}

async function compareFlatProjects({ startFlatProjectPairs }: Scenario): Promise<Comparison[]> {
  logProgress("writing a million projects and a million charges");
  return compareAll(await startFlatProjectPairs());
}

async function compareFiat({ startFiatPairs }: Scenario): Promise<Comparison[]> {
  logProgress("writing a million conversions");
  return compareAll(await startFiatPairs());
}

async function compareEnvPulls({ startEnvPullPairs }: Scenario): Promise<Comparison[]> {
  return compareAll(await startEnvPullPairs(options.before));
}

async function compareFlatPayments(scenario: Scenario): Promise<Comparison[]> {
  logProgress(`writing ${1_000 * FLAT_FACTOR} wallets and payments`);
  return compareAll([await scenario.startFlatPaymentPair(FLAT_FACTOR)]);
}

async function compareProcesses(scenario: Scenario): Promise<Comparison[]> {
  const redis = await startRedis();
  if ("skipped" in redis) throw new Error(redis.skipped);
  try {
    return await compareAll(await scenario.startProcessPairs(redis.url));
  } finally {
    await redis.stop();
  }
}

async function comparePayments(scenario: Scenario): Promise<PaymentFigures> {
  logProgress("creating a thousand agents with wallets");
  const payments = await scenario.startPayments();
  const comparisons = await compareAll(payments.pairs);
  logProgress("freezes during payments");
  const freezes = await measureFreezes(payments, FREEZE_SECONDS);
  logProgress("CPU of payments");
  const { start, stores } = await scenario.openStores("with statements");
  const { warmUpSeconds, roundSeconds } = timing;
  const cpu = await measurePaymentCpu(start, stores, { warmUpSeconds, seconds: roundSeconds });
  return { comparisons, freezes, cpu };
}

async function measureLag(scenario: Scenario): Promise<LagFigures> {
  logProgress(`payments for ${LAG_SECONDS} s, with jobs`);
  const { start, stores } = await scenario.openStores();
  return measurePaymentLag(start, stores, LAG_SECONDS);
}

async function measureDeliveries(scenario: Scenario): Promise<WebhookFigures> {
  logProgress("deliveries and streams of events");
  const { start, stores } = await scenario.openStores();
  return measureWebhooks(start, stores, WEBHOOKS);
}

function countCommands({ startOverRedis }: Scenario) {
  logProgress("Redis commands per signed request");
  return countRedisCommands(startOverRedis);
}

async function compareKeys({ startKeys }: Scenario) {
  logProgress("writing a million keys");
  const keys = await startKeys();
  logProgress("signed requests with few keys and with many keys");
  return measureKeys(keys, timing);
}

async function measureSdks() {
  logProgress("calls by the SDKs");
  return { TypeScript: await measureTypeScriptSdk(), Python: await measurePythonSdk() };
}

async function logIn({ startLogins }: Scenario) {
  logProgress("signed requests during logins");
  return measureLogins(await startLogins(), timing);
}

async function runIdle({ startIdle }: Scenario): Promise<IdleFigures> {
  logProgress("an idle process (API and worker)");
  return measureIdle(await startIdle(), timing);
}

async function verifyAudit({ startAudit }: Scenario): Promise<AuditFigures> {
  logProgress(`writing ${AUDIT_ENTRIES} audit entries`);
  const audit = await startAudit(AUDIT_ENTRIES);
  logProgress("GET /audit/verify");
  return measureAuditVerify(audit, timing.rounds);
}

async function runSagas({ startSagas }: Scenario) {
  logProgress("the saga that adds a service");
  return measureSagas(await startSagas(), sagaTiming);
}

function logProgress(message: string): void {
  process.stderr.write(`bench: ${message}\n`);
}
