import { parseArgs } from "node:util";
import { type Comparison, compare, type Pair, type Timing } from "./compare.ts";
import { type AuditFigures, measureAuditVerify } from "./measure-audit-verify.ts";
import { measureEd25519 } from "./measure-ed25519.ts";
import { type IdleFigures, measureIdle } from "./measure-idle.ts";
import { measureKeys } from "./measure-keys.ts";
import { measureLogins } from "./measure-logins.ts";
import { countRedisCommands } from "./redis-commands.ts";
import { appendResults, describeRun, type Results, resultsText } from "./report.ts";
import { measureSagas, type SagaTiming } from "./sagas/measure-sagas.ts";
import { createScenario, type Scenario } from "./scenario.ts";

const { values: options } = parseArgs({
  options: {
    /** One short round: shows that the bench works, and is not kept. */
    quick: { type: "boolean", default: false },
    /** Some parts alone: requests, projects, env-pull, keys, redis, ed25519, logins, idle, audit, saga. */
    only: { type: "string", multiple: true },
    /** A clone of an earlier commit with its dependencies: `env-pull` is compared with it, and left out without it. */
    before: { type: "string" },
    /** Keeps a run of some parts alone, too. */
    keep: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    /** A folder for CPU profiles of the servers. */
    profile: { type: "string" },
    help: { type: "boolean", short: "h" },
  },
});

if (options.help) {
  console.log(`Usage: npm run bench -- [options]

Measures the service's throughput against baselines on this machine, and appends the ratios to bench/RESULTS.md.

  --quick        one short round, which is not kept
  --only PART    one part: requests, projects, env-pull, keys, redis, ed25519, logins, idle, audit, saga (may be repeated; not kept)
  --before DIR   a clone of an earlier commit, with its dependencies: what env-pull is compared with
  --keep         keep the results of single parts too
  --json         print JSON
  --profile DIR  write CPU profiles of the servers to this folder`);
  process.exit();
}

const timing: Timing = options.quick
  ? { rounds: 1, roundSeconds: 2, warmUpSeconds: 1 }
  : { rounds: 5, roundSeconds: 4, warmUpSeconds: 5 };
const sagaTiming: SagaTiming = { ...timing, pairs: options.quick ? 40 : 400 };

const AUDIT_ENTRIES = 100_000;

tell("starting PostgreSQL");
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
  const isWanted = (part: string) => options.only?.includes(part) ?? true;
  return {
    ...described,
    comparisons: [
      ...(isWanted("requests") ? await compareRequests(scenario) : []),
      ...(isWanted("projects") ? await compareProjects(scenario) : []),
      ...(isWanted("env-pull") ? await compareEnvPulls(scenario) : []),
    ],
    redis: isWanted("redis") ? await countCommands(scenario) : undefined,
    keys: isWanted("keys") ? await compareKeys(scenario) : undefined,
    ed25519: isWanted("ed25519") ? measureEd25519() : undefined,
    logins: isWanted("logins") ? await logIn(scenario) : undefined,
    idle: isWanted("idle") ? await runIdle(scenario) : undefined,
    audit: isWanted("audit") ? await verifyAudit(scenario) : undefined,
    sagas: isWanted("saga") ? await runSagas(scenario) : undefined,
  };
}

async function compareRequests({ startPairs }: Scenario): Promise<Comparison[]> {
  return compareAll(await startPairs());
}

async function compareAll(pairs: readonly Pair[]): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const pair of pairs) {
    tell(pair.title);
    comparisons.push(await compare(pair, timing));
  }
  return comparisons;
}

async function compareProjects({ startProjectPairs }: Scenario): Promise<Comparison[]> {
  tell("making a thousand developers");
  return compareAll(await startProjectPairs());
}

async function compareEnvPulls({ startEnvPullPair }: Scenario): Promise<Comparison[]> {
  if (options.before === undefined) {
    tell("env-pull is left out: there is no --before to compare with");
    return [];
  }
  return compareAll([await startEnvPullPair(options.before)]);
}

function countCommands({ startOverRedis }: Scenario) {
  tell("Redis commands per signed request");
  return countRedisCommands(startOverRedis);
}

async function compareKeys({ startKeys }: Scenario) {
  tell("writing a million keys");
  const keys = await startKeys();
  tell("signed requests among few keys and among many");
  return measureKeys(keys, timing);
}

async function logIn({ startLogins }: Scenario) {
  tell("signed requests beside logins");
  return measureLogins(await startLogins(), timing);
}

async function runIdle({ startIdle }: Scenario): Promise<IdleFigures> {
  tell("an idle process (API and worker)");
  return measureIdle(await startIdle(), timing);
}

async function verifyAudit({ startAudit }: Scenario): Promise<AuditFigures> {
  tell(`writing ${AUDIT_ENTRIES} audit entries`);
  const audit = await startAudit(AUDIT_ENTRIES);
  tell("audit/verify");
  return measureAuditVerify(audit, timing.rounds);
}

async function runSagas({ startSagas }: Scenario) {
  tell("the saga that adds a service");
  return measureSagas(await startSagas(), sagaTiming);
}

function tell(what: string): void {
  process.stderr.write(`bench: ${what}\n`);
}
