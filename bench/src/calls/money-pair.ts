import { randomUUID } from "node:crypto";
import { sha256Hex } from "@purser/service/crypto/signing.ts";
import { newId } from "@purser/service/foundation/ids.ts";
import pg from "pg";
import { createSpendTable } from "../../../service/test/test-spend.ts";
import type { Pair } from "../compare.ts";
import { fetchJson } from "../fetch-json.ts";
import { PROJECTS_PATH } from "../paths.ts";
import type { StartServer } from "../server-process.ts";
import type { PurserReady } from "../servers/purser.ts";
import { createSigner, type NextRequest, type Signer } from "../signer.ts";
import type { Stores } from "../stores.ts";

const SERVER = new URL("../servers/purser-money.ts", import.meta.url);
const PATH = "/api/v1/svc/test/spend";
const CALLERS = 16;
const WALLETS = 1_000;
const PROJECTS = 8;
const JSON_TYPE = { "content-type": "application/json" };

/**
 * Compares a money request over HTTP with the rows that it writes. The baseline writes them from this process, in the
 * same five round trips, and checks nothing.
 */
export async function startMoneyPair(
  start: StartServer,
  stores: Stores,
): Promise<{ readonly pair: Pair; close(): Promise<void> }> {
  await createSpendTable(stores);
  const config = stores.configFor("money");
  const server = await start<PurserReady>(SERVER, config);
  const { origin, tenantId } = server.ready;
  const signer = createSigner(server.ready);
  const pool = new pg.Pool({ connectionString: config.databaseUrl, max: CALLERS });
  await insertWallets(pool, tenantId);
  const projectIds = await Promise.all(
    Array.from({ length: PROJECTS }, (_, number) => createProject(origin, signer, number)),
  );
  const baselineTenantId = newId("dev");
  await insertWallets(pool, baselineTenantId);
  await insertBudgets(pool, baselineTenantId);
  // Without statistics, PostgreSQL reads all accounts of a tenant to find one. Autovacuum would come too late.
  await stores.asSuperuser(async (client) => void (await client.query("analyze ledger_accounts")));
  return {
    pair: {
      title: `money request over HTTP, ${CALLERS} callers, ${WALLETS} wallets, ${PROJECTS} projects ÷ baseline (pg)`,
      goal: 0.6,
      candidate: {
        name: "Purser",
        process: server,
        origin,
        connections: CALLERS,
        sent: spendings(signer, projectIds),
      },
      baseline: {
        name: "baseline",
        callers: CALLERS,
        call: () => writeRows(pool, baselineTenantId),
      },
    },
    close: () => pool.end(),
  };
}

async function createProject(origin: string, signer: Signer, number: number): Promise<string> {
  const body = JSON.stringify({ name: `Bench ${number}`, monthly_cap: "1000000000.00" });
  const headers = { ...signer("POST", PROJECTS_PATH, body), ...JSON_TYPE };
  return String((await fetchJson(origin, PROJECTS_PATH, headers, body))["project_id"]);
}

/** Returns a function that builds money requests of changing wallets and projects. */
function spendings(signer: Signer, projectIds: readonly string[]): NextRequest {
  let turn = 0;
  return () => {
    turn += 1;
    const body = JSON.stringify({
      amount: "0.01",
      wallet_id: `wallet-${turn % WALLETS}`,
      project_id: projectIds[turn % PROJECTS],
      reference: String(turn),
    });
    const key = { "idempotency-key": randomUUID() };
    const headers = { ...signer("POST", PATH, body), ...JSON_TYPE, ...key };
    return { method: "POST", path: PATH, headers, body };
  };
}

/** Runs statements in a transaction of the tenant, each in a round trip. */
async function inTransaction(pool: pg.Pool, tenantId: string, statements: readonly pg.QueryConfig[]): Promise<void> {
  const client = await pool.connect();
  await client.query(
    `begin; select set_config('purser.tenant_id', ${client.escapeLiteral(tenantId)}, true),
      set_config('lock_timeout', '1000ms', true)`,
  );
  for (const statement of statements) await client.query(statement);
  await client.query("commit");
  client.release();
}

const CLAIM = `
  with key as (
    insert into idempotency_records (tenant_id, mode, method, route, idempotency_key, fingerprint, state,
      lease_expires_at, agent_ids, created_at, expires_at)
    values ($1, 'live', 'POST', '${PATH}', $2, $3, 'in_flight', $4, '{}', $4, $4::timestamptz + interval '30 days')
  ), signature as (
    insert into request_signatures (tenant_id, signature_hash, idempotency_key, expires_at)
    values ($1, $3, $2, $4::timestamptz + interval '1 minute')
  )
  select account_id, frozen, stopped from ledger_accounts
  where tenant_id = $1 and mode = 'live' and subject_type = 'wallet' and subject_id = $5 and kind = 'wallet' and asset = 'usdc'`;
const MOVE = `
  with period as (
    update budget_periods set spent_micros = spent_micros + $4, changed_at = $5
    where tenant_id = $1 and budget_id = $3 and period_start = date_trunc('month', $5::timestamptz, 'UTC')
  ), reservation as (
    insert into budget_reservations (tenant_id, reservation_id, mode, cause_type, cause_id, amount_micros, status,
      committed_micros, created_at, settled_at)
    values ($1, $2, 'live', 'spend', $6, $4, 'committed', $4, $5, $5)
  ), line as (
    insert into budget_reservation_lines (tenant_id, budget_id, period_start, reservation_id)
    values ($1, $3, date_trunc('month', $5::timestamptz, 'UTC'), $2)
  ), transfer as (
    insert into ledger_transfers (tenant_id, transfer_id, mode, asset, debit_account_id, credit_account_id, amount, kind,
      pending_id, cause_type, cause_id, created_at)
    values ($1, $7, 'live', 'usdc', $8, $9, $4, 'direct', null, 'spend', $6, $5)
  )
  update ledger_accounts set posted = posted - $4 where tenant_id = $1 and account_id = $8`;
const WRITE = `
  with entry as (
    insert into audit_entries (tenant_id, audit_id, chain, mode, actor, action, subject, facts, request_id, occurred_at)
    values ($1, $2, 'tenant', 'live', $3, 'payment.confirmed', $4, '{"code":null}', $5, $6)
  ), pending as (
    insert into audit_pending (tenant_id, audit_id, chain) values ($1, $2, 'tenant')
  ), answer as (
    update idempotency_records set state = 'stored', answer_status = 200, answer_body = $7
    where tenant_id = $1 and mode = 'live' and method = 'POST' and route = '${PATH}' and idempotency_key = $8
  ), spend as (
    insert into test_spends (tenant_id, spend_id, base_units) values ($1, $9, $10)
  ), counter as (
    insert into event_counters (tenant_id, subject_type, subject_id, sequence) values ($1, 'spend', $9, 1)
  )
  insert into events (tenant_id, event_id, mode, type, subject_type, subject_id, sequence, data, actor, request_id, occurred_at)
  values ($1, $11, 'live', 'payment.confirmed', 'spend', $9, 1, '{"amount":"0.01"}', $3, $5, $6)`;
const ACTOR = JSON.stringify({ type: "developer", network: "127.0.0.1", key_id: newId("key") });

let turn = 0;

async function writeRows(pool: pg.Pool, tenantId: string): Promise<void> {
  turn += 1;
  const at = new Date();
  const key = randomUUID();
  const hash = sha256Hex(key);
  const [spendId, requestId] = [newId("spend"), newId("req")];
  const wallet = `wallet-${turn % WALLETS}`;
  const subject = JSON.stringify({ type: "spend", id: spendId });
  const answer = JSON.stringify({ spend_id: spendId, amount: "0.01" });
  const accounts = [accountOf(tenantId, wallet), accountOf(tenantId, "external")];
  const budget = `project_cap:proj_${turn % PROJECTS}`;
  await inTransaction(pool, tenantId, [
    { name: "claim", text: CLAIM, values: [tenantId, key, hash, at, wallet] },
    {
      name: "move",
      text: MOVE,
      values: [tenantId, newId("rsv"), budget, 10_000, at, spendId, newId("ltr"), ...accounts],
    },
    {
      name: "write",
      text: WRITE,
      values: [...[tenantId, newId("aud"), ACTOR, subject, requestId, at, answer, key, spendId, 10_000], newId("evt")],
    },
  ]);
}

const accountOf = (tenantId: string, name: string) => `lac_${tenantId}_${name}`;

/** Inserts wallets with a large balance, and the external account that the route pays to. */
async function insertWallets(pool: pg.Pool, tenantId: string): Promise<void> {
  const wallets = Array.from({ length: WALLETS }, (_, number) => `wallet-${number}`);
  const text = `
    insert into ledger_accounts (tenant_id, account_id, mode, kind, subject_type, subject_id, asset, posted, created_at)
    select $1, 'lac_' || $1 || '_' || id, 'live', 'wallet', 'wallet', id, 'usdc', 1e12, now() from unnest($2::text[]) id
    union all select $1, $3, 'live', 'external', 'external', $1, 'usdc', 0, now()`;
  const values = [tenantId, wallets, accountOf(tenantId, "external")];
  await inTransaction(pool, tenantId, [{ text, values }]);
}

/** Inserts the budgets of the baseline's projects, with the current month. */
async function insertBudgets(pool: pg.Pool, tenantId: string): Promise<void> {
  const projects = Array.from({ length: PROJECTS }, (_, number) => `proj_${number}`);
  const text = `
    with budget as (
      insert into budgets (tenant_id, budget_id, mode, subject_type, subject_id, name, period, limit_micros)
      select $1, 'project_cap:' || id, 'live', 'project_cap', id, '', 'calendar_month', 1e15 from unnest($2::text[]) id
    )
    insert into budget_periods (tenant_id, budget_id, period_start, held_micros, spent_micros, changed_at)
    select $1, 'project_cap:' || id, date_trunc('month', now(), 'UTC'), 0, 0, now() from unnest($2::text[]) id`;
  await inTransaction(pool, tenantId, [{ text, values: [tenantId, projects] }]);
}
