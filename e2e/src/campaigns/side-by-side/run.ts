import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { newSecrets } from "@purser/service/config/new-secrets.ts";
import { migrate } from "@purser/service/db/migrate.ts";
import type { TenantId } from "@purser/service/foundation/ids.ts";
import { startRedis } from "../../../../service/test/fast-state/redis.ts";
import { type Call, signedCaller } from "../../conformance/callers.ts";
import { startOwnPostgres } from "../../own-postgres.ts";
import { serverEnvironment } from "../../server-environment.ts";
import { launchServer, type ServerProcess, untilServing } from "../../server-process.ts";
import type { KeyPair } from "../../signed-client.ts";
import { until } from "../../until.ts";
import { vendorEnvironment } from "../../vendor-environment.ts";
import { startOwnSandbox } from "../kills/own-sandbox.ts";
import { retryingClient } from "../kills/retrying-client.ts";
import { withClient } from "../restore/backup.ts";
import { linkProject } from "../restore/load.ts";
import { checkOutOldVersion, type OldVersion } from "./old-version.ts";

const PAYEE = "0x8ba1f109551bD432803012645Ac136ddd64DBA72";
/** A project has at most 100 services, and the campaign takes two minutes. */
const SERVICE_EVERY_MS = 2_000;
/** A load balancer stops sending requests to a process before the process is stopped. */
const DRAINED_AFTER_MS = 2_000;
const DONE_WITHIN_MS = 60_000;
/** Everything that must be done some time after the last request, but no emails: no mail server listens. */
const UNDONE = `select concat_ws(' ', 'operation', operation_id, status) as text from operations where status <> 'succeeded'
union all select concat_ws(' ', 'service', service_id, status) from services where status <> 'active'
union all select concat_ws(' ', 'work', kind, subject) from due_work where due_at < now() - interval '20 s'
union all select concat_ws(' ', 'audit entry', audit_id) from audit_pending
union all select concat_ws(' ', 'workflow', workflow_uuid, status) from dbos.workflow_status where status in ('PENDING', 'ENQUEUED')`;

interface SideBySideCampaign {
  readonly clients: number;
  /** The time of each phase: the old version alone, the migration and both versions, the new version alone. */
  readonly secondsEach: number;
  readonly onProgress: (message: string) => void;
}

/** A developer of the load. */
interface Account extends KeyPair {
  readonly test: KeyPair;
  readonly agentId: string;
  readonly projectId: string;
}

/** The servers that get requests now, and how they have answered. */
interface Traffic {
  servers: readonly ServerProcess[];
  readonly statuses: Record<string, number>;
  payments: number;
  services: number;
}

/**
 * Runs the version before the newest migration and this one on one PostgreSQL and one Redis: first the old one, then the
 * migration under load, both, and the new one. Throws if an answer is a 5xx, if a paid payment is missing, or if work that the
 * old version began is not done.
 */
export async function runSideBySideCampaign(campaign: SideBySideCampaign) {
  const old = await checkOutOldVersion();
  const redis = await startRedis();
  if ("skipped" in redis) throw new Error(redis.skipped);
  const folder = await mkdtemp(join(tmpdir(), "purser-side-by-side-"));
  const postgres = await startOwnPostgres({ migrateDatabase: old.migrate });
  const sandbox = await startOwnSandbox(postgres, {});
  const secrets = newSecrets();
  const stores = { databaseUrl: postgres.serviceUrl, redisUrl: redis.url };
  const environment = {
    ...{ ...serverEnvironment(secrets, stores, folder), PII_DATABASE_URL: postgres.piiUrl },
    ...{ ...vendorEnvironment(sandbox), PURSER_SYNC_WAIT_MS: "1", PURSER_LOG_LEVEL: "warn" },
    // A busy machine answers slowly.
    ...{ PURSER_STORE_TIMEOUT_MS: "10000", PURSER_STATEMENT_TIMEOUT_MS: "20000", PURSER_REDIS_TIMEOUT_MS: "5000" },
  };
  const seeds = old.seeds.openSeedApp({
    databaseUrl: postgres.serviceUrl,
    keyEncryptionKey: secrets.PURSER_KEY_ENCRYPTION_KEY,
  });
  const servers: ServerProcess[] = [];
  const start = async (serve?: string) => {
    const server = await untilServing(launchServer(environment, serve));
    servers.push(server);
    return server;
  };
  try {
    return await runVersions(campaign, { old, start, postgres, seeds });
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
    await seeds.db.destroy();
    await sandbox.close();
    await Promise.all([postgres.remove(), redis.stop(), old.remove(), rm(folder, { recursive: true, force: true })]);
  }
}

interface Deployment {
  readonly old: OldVersion;
  readonly start: (serve?: string) => Promise<ServerProcess>;
  readonly postgres: { readonly ownerUrl: string; readonly superuserUrl: string };
  readonly seeds: ReturnType<OldVersion["seeds"]["openSeedApp"]>;
}

async function runVersions(campaign: SideBySideCampaign, { old, start, postgres, seeds }: Deployment) {
  const { clients, secondsEach, onProgress } = campaign;
  const first = await start(old.serve);
  const accounts = await Promise.all(Array.from({ length: clients }, () => seedAccount(old, seeds, first.url)));
  const traffic: Traffic = { servers: [first], statuses: {}, payments: 0, services: 0 };
  const ending = new AbortController();
  const running = Promise.all(accounts.map((account) => useAccount(account, traffic, ending.signal)));
  running.catch(() => {});
  const phase = async (name: string) => {
    onProgress(`${name}: ${JSON.stringify(traffic.statuses)}`);
    await Promise.race([running, wait(1_000 * secondsEach)]);
  };
  await phase(`${old.commit} alone`);
  const migrated = await migrate({ ownerUrl: postgres.ownerUrl });
  await phase(`with the schema of ${migrated.join(", ") || "no migration"}`);
  const second = await start();
  traffic.servers = [first, second];
  await phase("both");
  traffic.servers = [second];
  await wait(DRAINED_AFTER_MS);
  const { code } = await first.stop();
  if (code !== 0) throw new Error(`The old version ended with ${code}: ${first.log()}`);
  await phase("the new version alone");
  ending.abort();
  await running;
  const failed = Object.entries(traffic.statuses).filter(([status]) => !/ (200|201|202)$/.test(status));
  if (failed.length > 0) throw new Error(`Answers: ${JSON.stringify(traffic.statuses)}`);
  await requireDone(postgres.superuserUrl, traffic);
  return { commit: old.commit, migrated, answers: traffic.statuses, services: traffic.services };
}

async function seedAccount(
  { seeds: { seedDeveloper, seedKeyPair } }: OldVersion,
  seeds: Deployment["seeds"],
  url: string,
): Promise<Account> {
  const tenantId: TenantId = await seedDeveloper(seeds);
  const [live, test] = [await seedKeyPair(seeds, tenantId), await seedKeyPair(seeds, tenantId, { mode: "test" })];
  const purser = retryingClient(url, test);
  const { agent_id: agentId } = await purser.agents.create({ name: "payer" });
  const { wallet_id: walletId } = await purser.wallets.create({ agent_id: agentId, network: "base" });
  await purser.wallets.fund(walletId, { amount: "10000.00" });
  return { ...live, test, agentId, projectId: await linkProject(retryingClient(url, live), url) };
}

/** Pays, reads, and adds services, at one of the servers after the other, without retries. */
async function useAccount(account: Account, traffic: Traffic, signal: AbortSignal): Promise<void> {
  let nextServiceMs = 0;
  for (let number = 0; !signal.aborted; number += 1) {
    const call = async (name: string, pair: KeyPair, request: Call) => {
      const server = traffic.servers[number % traffic.servers.length];
      const { status, text } = await signedCaller(server?.url ?? "", pair, { retriesMax: 0 })(request);
      if (status > 299) console.error(text);
      traffic.statuses[`${name} ${status}`] = (traffic.statuses[`${name} ${status}`] ?? 0) + 1;
    };
    const { agentId, projectId, test } = account;
    // The reference makes payments of the same second differ, and so their signatures.
    const payment = { agent_id: agentId, amount: "0.01", to: PAYEE, reference: randomUUID() };
    const headers = { "x-agent-id": agentId };
    await call("pay", test, { method: "POST", path: "/payments/send", body: payment, headers });
    traffic.payments += 1;
    await call("read", account, { method: "GET", path: `/projects/${projectId}` });
    await call("pull", account, { method: "GET", path: `/projects/${projectId}/env` });
    if (performance.now() < nextServiceMs) continue;
    nextServiceMs = performance.now() + SERVICE_EVERY_MS;
    const body = { service: "acme-db/postgres", plan: "free", name: `s${randomUUID().slice(0, 8)}` };
    await call("add", account, { method: "POST", path: `/projects/${projectId}/services`, body });
    traffic.services += 1;
  }
}

/** Waits until all operations and jobs are done, and compares the payments and services with the answers. */
async function requireDone(superuserUrl: string, { payments, services }: Traffic): Promise<void> {
  const textsOf = (statement: string) =>
    withClient(superuserUrl, async (client) => {
      const { rows } = await client.query<{ text: string }>(statement);
      return rows.map(({ text }) => text);
    });
  const isDone = async () => (await textsOf(UNDONE)).length === 0 || undefined;
  await until("all work is done", isDone, DONE_WITHIN_MS).catch(async (cause: unknown) => {
    throw new Error(`Not done: ${(await textsOf(UNDONE)).slice(0, 10).join(", ")}`, { cause });
  });
  const counts = await textsOf(
    `select count(*)::text as text from payments where status = 'confirmed' union all select count(*)::text from services`,
  );
  if (counts.join() !== [payments, services].join()) {
    throw new Error(`Payments and services: ${counts.join()} instead of ${payments},${services}`);
  }
}
