import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { TenantId } from "@purser/service/foundation/ids.ts";
import { startOwnPostgres } from "../../own-postgres.ts";
import type { Environment } from "../../server-process.ts";
import { until } from "../../until.ts";
import { vendorEnvironment } from "../../vendor-environment.ts";
import { type LiveChain, startLiveChain } from "../chain/live-chain.ts";
import { requireNoDifferences, wrongSums } from "../kills/differences.ts";
import { type KilledDeployment, withKilledDeployment } from "../kills/killed-deployment.ts";
import { startOwnSandbox } from "../kills/own-sandbox.ts";
import { verifyAudit } from "../kills/verify-audit.ts";
import { payOnce } from "../money-kill/pay.ts";
import { type Backup, createBackup, withClient } from "./backup.ts";
import { type Behind, findBehind, findLost } from "./check-restored.ts";
import {
  type LivePayment,
  type Load,
  PAID_MICROS,
  payAndWait,
  payLive,
  pullVariables,
  runLoad,
  seedLoad,
  untilConfirmed,
} from "./load.ts";
import { BEFORE_START, COMPARE_WALLETS, cancelUnsent, runAdmin } from "./operator.ts";

/** While the bundler does not answer, a live payment stays queued. */
const BUNDLER_PAUSED_MS = 4_000;
const REPORTED_WITHIN_MS = 60_000;
const LOG_CHARACTERS_SHOWN = 8_000;
/** A busy machine answers slowly. */
const LONG_TIMEOUTS = {
  PURSER_STORE_TIMEOUT_MS: "10000",
  PURSER_STATEMENT_TIMEOUT_MS: "20000",
  PURSER_PROVIDER_TIMEOUT_MS: "10000",
};
const REASON = "restored to a point in time";

export interface RestoreCampaign {
  /** At least 12: the first eight have little money, or a low cap. */
  readonly clients: number;
  /** The time under load before the base backup, from there to the point, and from the point to the loss. */
  readonly secondsEach: number;
  readonly onProgress: (message: string) => void;
}

interface Run {
  readonly campaign: RestoreCampaign;
  readonly deployment: KilledDeployment;
  readonly backup: Backup;
  readonly chain: LiveChain;
  readonly environment: Environment;
}

/** What happened until the database was lost. */
interface Before {
  readonly load: Load;
  readonly point: Date;
  /** A live payment that waited at the point, and was paid after it. */
  readonly queued: LivePayment;
}

/**
 * Takes a base backup and archives WAL under load, loses the database, and restores it to a point in time into an empty
 * folder, as docs/operate/restore.md says. The vendors, the chain and the audit anchor keep what came after the point. Throws
 * if anything from before the point is missing, if something is lost that no report names, or if a payee is paid twice.
 */
export async function runRestoreCampaign(campaign: RestoreCampaign) {
  const backup = await createBackup();
  const elsewhere = await startOwnPostgres({ migrateDatabase: async () => {} });
  const sandbox = await startOwnSandbox(elsewhere, {});
  const chain = await startLiveChain();
  const environment = { ...vendorEnvironment(sandbox), ...chain.environment, ...LONG_TIMEOUTS };
  try {
    return await withKilledDeployment({ name: "restore", settings: backup.settings }, (deployment) =>
      runPhases({ campaign, deployment, backup, chain, environment }),
    );
  } finally {
    await chain.close();
    await sandbox.close();
    await elsewhere.remove();
    await backup.remove();
  }
}

async function runPhases(run: Run) {
  const { campaign, deployment, backup } = run;
  const { postgres, service } = deployment;
  const keyFile = join(deployment.folder, "backup-of-the-key-encryption-key");
  await writeFile(keyFile, deployment.environment["PURSER_KEY_ENCRYPTION_KEY"] ?? "", { mode: 0o600 });
  const before = await loseDatabase(run);
  campaign.onProgress(`the database is lost; restoring to ${before.point.toISOString()}`);
  const startedMs = performance.now();
  const restored = await backup.restore(postgres.superuserUrl, before.point);
  try {
    const secondsToRestore = Math.round((performance.now() - startedMs) / 1_000);
    const environment = {
      ...{ ...deployment.environment, ...run.environment },
      PURSER_KEY_ENCRYPTION_KEY: await readFile(keyFile, "utf8"),
    };
    return { ...(await goOn({ ...run, environment }, before)), secondsToRestore };
  } catch (error) {
    campaign.onProgress(
      service
        .log()
        .split("\n")
        .filter((line) => !/anchor|send operations/.test(line))
        .join("\n")
        .slice(-LOG_CHARACTERS_SHOWN),
    );
    throw error;
  } finally {
    await service.kill();
    await restored.remove();
  }
}

/** Runs the load, takes the backup, and kills PostgreSQL and the service some time after the point. */
async function loseDatabase(run: Run): Promise<Before> {
  const { campaign, deployment, backup, chain, environment } = run;
  const { service, postgres, seeds } = deployment;
  const { superuserUrl } = postgres;
  await service.start(environment);
  const load = await seedLoad(seeds, chain, { url: service.url(), clients: campaign.clients });
  const ending = new AbortController();
  const loading = runLoad(load, ending.signal);
  loading.catch(() => {});
  const pause = () => Promise.race([loading, wait(1_000 * campaign.secondsEach)]);
  await pause();
  campaign.onProgress(`${load.answers.length} answers; base backup`);
  await backup.takeBase(superuserUrl);
  await pause();
  const paused = chain.pause("bundler", BUNDLER_PAUSED_MS);
  const [wallet] = load.wallets;
  if (wallet === undefined) throw new Error("There is no wallet.");
  const queued = await payLive(load, wallet);
  const point = await withClient(superuserUrl, async (client) => {
    const { rows } = await client.query<{ now: Date }>("select clock_timestamp() as now");
    return rows[0]?.now ?? new Date();
  });
  campaign.onProgress(`${load.answers.length} answers; the point`);
  await paused;
  await pause();
  ending.abort();
  await loading;
  await untilConfirmed(wallet, queued.id);
  for (const each of load.wallets) await payAndWait(load, each);
  await untilAnchored(superuserUrl, point);
  await backup.archiveAll(superuserUrl);
  await service.kill();
  await postgres.kill();
  return { load, point, queued };
}

async function untilAnchored(superuserUrl: string, point: Date): Promise<void> {
  const statement = "select from audit_anchorings where anchored_at > $1";
  const isAnchored = async () => {
    const { rowCount } = await withClient(superuserUrl, (client) => client.query(statement, [point]));
    return (rowCount ?? 0) > 0 || undefined;
  };
  await until("a later checkpoint is in the anchor", isAnchored, REPORTED_WITHIN_MS);
}

/** Checks the restored database, starts the service on it, reconciles, and pays. */
async function goOn(run: Run, before: Before) {
  const { deployment, environment, campaign } = run;
  const { service, postgres, seeds } = deployment;
  const { superuserUrl } = postgres;
  const { load, point } = before;
  const lost = await findLost(superuserUrl, load, point);
  const sums = () => wrongSums(seeds.db, tenantsOf(load));
  requireNoDifferences((await until("the database answers", sums)).value);
  await withClient(superuserUrl, (client) => client.query(BEFORE_START));
  const behind = await recordLoss(run);

  await service.start(environment);
  campaign.onProgress(`lost: ${Object.entries(lost).map(([name, { length }]) => `${length} ${name}`)}`);
  await requireMismatches(load, behind);
  await untilLogged(
    run,
    lost.services.map(({ id }) => `svc-${id}`),
  );
  if ((await pullVariables(load)) === undefined) throw new Error("The restored services have no variables.");

  const canceled = await cancelUnsent(environment, { url: service.url(), superuserUrl });
  await runAdmin(environment, "networks", "resume", "base");
  await untilRead(run);
  await withClient(superuserUrl, (client) => client.query(COMPARE_WALLETS));
  await service.kill();
  const moved = await moveAnchor(run);
  await service.start(moved);
  // Each has paid after the point.
  await untilLogged(
    run,
    load.wallets.map(({ walletId }) => walletId),
  );
  await requireWorks(run, before);
  requireNoDifferences(await sums());
  return {
    answers: load.answers.length,
    lost: { answers: lost.answers.length, services: lost.services.length, livePayments: lost.livePayments.length },
    lostAuditEntries: behind.reduce((sum, { entries, anchored }) => sum + anchored - entries, 0),
    walletsWithUnsentPayments: canceled.length,
    auditEntries: await verifyAudit(load.payers.map(({ tenant }) => tenant)),
  };
}

function tenantsOf({ payers, wallets }: Load): readonly TenantId[] {
  return [...new Set([...payers.map(({ tenant }) => tenant.tenantId), ...wallets.map(({ tenantId }) => tenantId)])];
}

/** Writes into the chains what they have lost. The command must name each chain that the anchor's file shows as behind. */
async function recordLoss({ deployment, environment }: Run): Promise<readonly Behind[]> {
  const printed = await runAdmin(environment, "anchor", "record", REASON);
  const behind = await findBehind(deployment.postgres.superuserUrl, environment["PURSER_AUDIT_ANCHOR_FILE"] ?? "");
  const unnamed = behind.filter(
    ({ tenantId, entries, anchored }) =>
      !new RegExp(`^${tenantId} .*has ${entries} entries, anchor has ${anchored} `, "m").test(printed),
  );
  if (behind.length === 0 || unnamed.length > 0) throw new Error(`${JSON.stringify(unnamed)} not named: ${printed}`);
  return behind;
}

/** The verification of each chain that is behind says so, with the number of entries that the anchor has. */
async function requireMismatches({ payers }: Load, behind: readonly Behind[]): Promise<void> {
  for (const { tenantId, anchored } of behind) {
    const auditor = payers.find(({ tenant }) => tenant.tenantId === tenantId)?.tenant.auditor;
    if (auditor === undefined) continue;
    const { valid, truncation_detected: isTruncated, anchor } = await auditor.audit.verify();
    const isNamed = anchor.status === "mismatch" && anchor.anchored_sequence === anchored;
    if (valid !== false || !isTruncated || !isNamed) throw new Error(`${tenantId}: ${JSON.stringify(anchor)}`);
  }
}

/** Waits until an error with `operator action required` names each. */
async function untilLogged({ deployment }: Run, names: readonly string[]): Promise<void> {
  const missing = () => {
    const lines = deployment.service
      .log()
      .split("\n")
      .filter((line) => line.includes("operator action required"));
    return names.filter((name) => !lines.some((line) => line.includes(name)));
  };
  await until("all differences are logged", async () => missing().length === 0 || undefined, REPORTED_WITHIN_MS).catch(
    (cause: unknown) => {
      throw new Error(`Not reported: ${missing().join(", ")}`, { cause });
    },
  );
}

async function untilRead({ deployment, chain }: Run): Promise<void> {
  const goal = await chain.blockNumber();
  const isRead = async () => {
    const { rows } = await withClient(deployment.postgres.superuserUrl, (client) =>
      client.query<{ final: string }>("select final_number as final from network_cursors"),
    );
    return rows.every(({ final }) => BigInt(final) >= goal) || undefined;
  };
  await until("the chain is read up to its newest block", isRead, REPORTED_WITHIN_MS);
}

/** Returns the environment with a new anchor that has the checkpoints of the restored database. The old one is kept. */
async function moveAnchor({ environment, deployment }: Run): Promise<Environment> {
  const path = join(deployment.folder, "audit-anchor-2.jsonl");
  const moved = { ...environment, PURSER_AUDIT_ANCHOR_FILE: path };
  await runAdmin(moved, "anchor", "fill");
  return moved;
}

/** Payments in both modes work, and what waited at the point was paid once: before the loss. */
async function requireWorks({ chain }: Run, { load, queued }: Before): Promise<void> {
  const [payer] = load.payers;
  if (payer !== undefined) await payOnce(payer, async () => {});
  for (const wallet of load.wallets) await payAndWait(load, wallet);
  const [received] = await chain.balances([queued.payee]);
  if (received !== PAID_MICROS) throw new Error(`The queued payment was paid ${received} instead of ${PAID_MICROS}.`);
}
