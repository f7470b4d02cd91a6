import { parseArgs } from "node:util";
import { runAuditCampaign } from "./campaigns/audit.ts";
import { runTamperingCampaign } from "./campaigns/audit-tampering.ts";
import { PRODUCTION_LIMITS, runBystanderCampaign } from "./campaigns/bystander/run.ts";
import { runChainKillCampaign, runReorgCampaign } from "./campaigns/chain/run.ts";
import { runFailoverCampaign } from "./campaigns/failover/run.ts";
import { runFiatKillCampaign } from "./campaigns/fiat-kill/run.ts";
import { runLedgerCampaign } from "./campaigns/ledger-check.ts";
import { runLedgerKillCampaign } from "./campaigns/ledger-kill/run.ts";
import { runMoneyKillCampaign } from "./campaigns/money-kill/run.ts";
import { SEED } from "./campaigns/random.ts";
import { runRefreshCampaign } from "./campaigns/refresh.ts";
import { withOwnReplicas } from "./campaigns/replicas.ts";
import { runRestoreCampaign } from "./campaigns/restore/run.ts";
import { KEY_ENDINGS, runRotateKeyCampaign } from "./campaigns/rotate-key.ts";
import { runSagaKillCampaign } from "./campaigns/saga-kill/run.ts";
import { runSchemathesis } from "./campaigns/schemathesis.ts";
import { pythonClient, runSdkKillCampaign, TYPESCRIPT_CLIENT } from "./campaigns/sdk-kill/run.ts";
import { runSideBySideCampaign } from "./campaigns/side-by-side/run.ts";
import { runTestFile } from "./campaigns/test-file.ts";
import { isIndistinguishable, runTimingCampaign } from "./campaigns/timing.ts";
import { runWebhookCampaign } from "./campaigns/webhook-faults.ts";
import { type OwnPostgres, startOwnPostgres } from "./own-postgres.ts";

const onProgress = (message: string) => console.error(message);

/**
 * The campaigns that `npm run campaign -- NAME` runs. Each is the long version of a test. The test suite runs the same
 * code with smaller numbers.
 */
const campaigns: Readonly<Record<string, (each: number | undefined) => Promise<object>>> = {
  audit: (each = 1_000) =>
    withOwnPostgres(({ serviceUrl: databaseUrl }) =>
      runAuditCampaign({ databaseUrl, writers: 16, mutationsEach: each, onProgress }),
    ),
  "audit-tampering": (entries = 1_000) =>
    withOwnPostgres((database) => runTamperingCampaign({ database, entries, onProgress })),
  "ledger-check": (each = 2_000) =>
    withOwnPostgres(({ serviceUrl: databaseUrl }) =>
      runLedgerCampaign({ databaseUrl, writers: 16, movesEach: each, onProgress }),
    ),
  "ledger-kill": (each = 10_000) =>
    runLedgerKillCampaign({
      writers: 16,
      requestsEach: each,
      acknowledgementsPerKill: 2_000,
      onProgress,
    }),
  "chain-kill": (kills = 200) => runChainKillCampaign({ wallets: 8, kills, onProgress }),
  reorg: (count = 300) => runReorgCampaign({ wallets: 8, count, onProgress }),
  failover: (minutes = 10) => runFailoverCampaign({ minutes, onProgress }),
  "fiat-kill": (kills = 240) => runFiatKillCampaign({ clients: 8, kills, onProgress }),
  "money-kill": (kills = 560) => runMoneyKillCampaign({ clients: 16, kills, onProgress }),
  restore: (secondsEach = 30) => runRestoreCampaign({ clients: 16, secondsEach, onProgress }),
  "side-by-side": (secondsEach = 30) => runSideBySideCampaign({ clients: 4, secondsEach, onProgress }),
  "saga-kill": (kills = 120) => runSagaKillCampaign({ clients: 8, kills, disturbances: 2 * kills, onProgress }),
  "sdk-kill": (payments = 10_000) =>
    runSdkKillCampaign({ client: TYPESCRIPT_CLIENT, payments, workers: 8, kills: payments / 200, onProgress }),
  "sdk-kill-python": async (payments = 10_000) =>
    runSdkKillCampaign({ client: await pythonClient(), payments, workers: 8, kills: payments / 200, onProgress }),
  bystander: (requestsEach = 12) =>
    withOwnReplicas(async (replicas) => {
      const figures = await runBystanderCampaign({
        replicas,
        requestsEach,
        slowMs: 40_000,
        onProgress,
      });
      if (figures.slow.length + figures.unavailable.length > 0) process.exitCode = 1;
      return figures;
    }, PRODUCTION_LIMITS),
  "rotate-key": (replacements = 1_000) =>
    withOwnReplicas(async (replicas) => {
      const figures = [];
      for (const ending of KEY_ENDINGS) {
        figures.push(await runRotateKeyCampaign({ replicas, ending, callers: 16, replacements, onProgress }));
      }
      return figures;
    }),
  "webhook-faults": (events = 100_000) =>
    withOwnReplicas(async (replicas) => {
      const figures = await runWebhookCampaign({ replicas, events, onProgress });
      const { lost, outOfOrder, misdirected, badSignatures } = figures;
      if (lost + outOfOrder + misdirected + badSignatures > 0) process.exitCode = 1;
      return figures;
    }),
  timing: (samples = 2_000) =>
    withOwnReplicas(async (replicas) => {
      const figures = await runTimingCampaign({ replicas, samples, onProgress });
      if (!figures.every(isIndistinguishable)) process.exitCode = 1;
      return figures;
    }),
  schemathesis: async (examples = 100) => {
    const run = await runSchemathesis({
      examples,
      phases: "coverage,fuzzing",
      onOutput: (output) => process.stderr.write(output),
    });
    if ("exitCode" in run) process.exitCode = run.exitCode;
    return "exitCode" in run ? { exitCode: run.exitCode } : run;
  },
  refresh: (rounds = 1_000) =>
    withOwnReplicas((replicas) => runRefreshCampaign({ replicas, rounds, concurrency: 10, onProgress })),
  "add-service": testFile("service/src/workflows/add-service/saga.test.ts", 1),
  "remove-service": testFile("service/src/workflows/remove-service/saga.test.ts", 1),
  "rotate-service": testFile("service/src/workflows/rotate-service/saga.test.ts", 1),
  "delete-project": testFile("service/src/workflows/delete-project/saga.test.ts", 1),
  "bank-history": testFile("service/src/modules/payments/send/bank-history.test.ts", 4_000),
  budgets: testFile("service/src/budgets/reserve-budgets.test.ts", 1_000),
  "captured-requests": testFile("service/src/http/captured-requests.test.ts", 50),
  crash: testFile("e2e/test/crash.test.ts", 20),
  dump: testFile("e2e/test/dump.test.ts", 5),
  "captured-payments": testFile("service/src/http/captured-payments.test.ts", 500),
  image: testFile("e2e/test/image.test.ts", 1),
  "kill-switch": testFile("service/src/workflows/kill-switch/kill-payments.test.ts", 1_000),
  "freeze-race": testFile("service/src/workflows/freeze-wallet/freeze-race.test.ts", 10_000),
  "late-order": testFile("e2e/test/saga-late-order.test.ts", 5),
  "money-model": testFile("service/src/modules/payments/send/payment-model.test.ts", 500),
  policies: testFile("service/src/modules/policies/rules/reference.test.ts", 100_000),
  "add-service-kill": testFile("e2e/test/saga-kill.test.ts", 30),
  "upgrade-kill": testFile("e2e/test/upgrade-kill.test.ts", 1),
  "rotation-kill": testFile("e2e/test/rotation-kill.test.ts", 1),
  "saga-takeover": testFile("e2e/test/saga-takeover.test.ts", 5),
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    each: { type: "string" },
    kills: { type: "string" },
    minutes: { type: "string" },
    help: { type: "boolean", short: "h" },
  },
});
const usage = `Usage: npm run campaign -- NAME [--each COUNT]

Runs the long version of a test and prints its figures as JSON. --each is the number of repetitions. The campaigns
chain-kill, fiat-kill, money-kill and saga-kill take --kills instead, failover takes --minutes.
Campaigns: ${Object.keys(campaigns).join(", ")}`;
if (values.help) {
  console.log(usage);
  process.exit();
}
const campaign = campaigns[positionals[0] ?? ""];
if (campaign === undefined) {
  console.error(usage);
  process.exitCode = 2;
} else {
  onProgress(`seed ${SEED}`);
  const count = values.each ?? values.kills ?? values.minutes;
  const figures = await campaign(count === undefined ? undefined : Number(count));
  console.log(JSON.stringify(figures, null, 2));
}

/** Returns a campaign that runs a test file with more repetitions. */
function testFile(file: string, defaultEach: number) {
  return async (each = defaultEach) => {
    const { exitCode } = await runTestFile(file, each);
    process.exitCode = exitCode;
    return { file, each, exitCode };
  };
}

async function withOwnPostgres<Result>(work: (postgres: OwnPostgres) => Promise<Result>): Promise<Result> {
  const postgres = await startOwnPostgres();
  try {
    return await work(postgres);
  } finally {
    await postgres.remove();
  }
}
