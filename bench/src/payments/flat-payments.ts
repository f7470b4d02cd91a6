import type { Client } from "pg";
import type { Pair } from "../compare.ts";
import type { StartServer } from "../server-process.ts";
import type { PurserReady } from "../servers/purser.ts";
import type { Stores } from "../stores.ts";
import { CALLERS, overviewsOf, PAYERS_PER_TENANT, paymentsOf, seedPayers } from "./payers.ts";
import { payOnceEach } from "./payment-scenario.ts";

const PURSER = new URL("../servers/purser.ts", import.meta.url);
const GOAL = 0.85;

/** The columns of a table that differ in its copies, with the SQL of their values. `n` is the number of the copy. */
interface Copied {
  readonly table: string;
  readonly where?: string;
  readonly columns: Readonly<Record<string, string>>;
}

const suffixed = (...names: string[]) => Object.fromEntries(names.map((name) => [name, `${name} || '_' || n`]));
const earlier = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, `${name} - n * interval '1 minute'`]));
const uuidOf = (name: string) => `md5(${name}::text || n)::uuid`;
/** The texts of answers and events are left out, because they take space but no other time. */
const EMPTY = "'{}'";

/** Each agent has one wallet and one payment. Their rows are copied. */
const COPIED: readonly Copied[] = [
  { table: "agents", columns: { ...earlier("created_at"), agent_id: uuidOf("agent_id") } },
  {
    table: "wallets",
    columns: {
      ...suffixed("wallet_id"),
      ...earlier("created_at"),
      agent_id: uuidOf("agent_id"),
      address: "'0x' || left(md5(address || n) || md5(n || address), 40)",
    },
  },
  {
    table: "ledger_accounts",
    where: "kind = 'wallet' and asset = 'usdc'",
    columns: suffixed("account_id", "subject_id"),
  },
  {
    table: "payments",
    columns: {
      ...suffixed("payment_id", "reservation_id", "transfer_id"),
      ...earlier("created_at"),
    },
  },
  { table: "paid_payees", columns: suffixed("payee_address") },
  {
    table: "ledger_transfers",
    where: "cause_type = 'payment'",
    columns: suffixed("transfer_id", "cause_id"),
  },
  { table: "budget_reservations", columns: suffixed("reservation_id", "cause_id") },
  { table: "budget_reservation_lines", columns: suffixed("reservation_id") },
  {
    table: "policy_decisions",
    columns: { ...suffixed("decision_id"), ...earlier("decided_at") },
  },
  {
    table: "audit_entries",
    where: "action = 'payment.confirmed'",
    columns: { ...suffixed("audit_id"), facts: EMPTY },
  },
  {
    table: "events",
    where: "subject_type = 'payment'",
    columns: {
      ...suffixed("event_id", "subject_id"),
      ...earlier("occurred_at"),
      data: EMPTY,
    },
  },
  { table: "event_counters", where: "subject_type = 'payment'", columns: suffixed("subject_id") },
  {
    table: "idempotency_records",
    columns: {
      ...earlier("expires_at"),
      idempotency_key: uuidOf("idempotency_key"),
      answer_body: EMPTY,
    },
  },
];

/** Starts servers whose databases have a thousand wallets and payments, and `factor` times as many. */
export async function startFlatPaymentPair(
  start: StartServer,
  { few, many, factor }: { readonly few: Stores; readonly many: Stores; readonly factor: number },
): Promise<Pair> {
  const baseline = await startWithPayments(start, few, "few payments");
  const candidate = await startWithPayments(start, many, "many payments");
  await copyRows(many, COPIED, factor);
  const title = `payments/send, ${1_000 * factor} wallets and payments ÷ 1000 of each`;
  return { title, goal: GOAL, candidate, baseline };
}

/** The payments that the overview counts at most, and how many copies of its first payments an account then has. */
const OVERVIEW_PAYMENTS = 1_000;
const COPIES = OVERVIEW_PAYMENTS / PAYERS_PER_TENANT;

/** The same for the dashboard's overview, of one account with a few wallets. */
export async function startFlatOverviewPair(
  start: StartServer,
  { few, many, factor }: { readonly few: Stores; readonly many: Stores; readonly factor: number },
): Promise<Pair> {
  const payments = COPIED.filter(({ table }) => table === "payments");
  const startWith = async (stores: Stores, copies: number, name: string) => {
    const target = await startWithPayments(start, stores, name, 1);
    await copyRows(stores, payments, copies);
    return { ...target, sent: await overviewsOf(target.origin, target.tenants) };
  };
  const baseline = await startWith(few, COPIES, "few payments");
  const candidate = await startWith(many, COPIES * factor, "many payments");
  const title = `dashboard/overview, ${OVERVIEW_PAYMENTS * factor} payments ÷ ${OVERVIEW_PAYMENTS} payments`;
  return { title, goal: GOAL, candidate, baseline };
}

async function startWithPayments(start: StartServer, stores: Stores, name: string, accounts?: number) {
  const tenants = await seedPayers(start, stores, accounts);
  const config = { ...stores.configFor("flat"), claimsFile: null };
  const server = await start<PurserReady>(PURSER, config);
  const { origin } = server.ready;
  await payOnceEach(stores, origin, tenants);
  return { name, process: server, origin, connections: CALLERS, sent: paymentsOf(tenants), tenants };
}

/** Each connection copies one table at a time. Two connections are enough, because each builds indexes in parallel. */
async function copyRows(stores: Stores, tables: readonly Copied[], factor: number): Promise<void> {
  const waiting = tables.values();
  const copyWaiting = async (client: Client) => {
    for (const copied of waiting) await copyTable(client, copied, factor);
  };
  await Promise.all([stores.asSuperuser(copyWaiting), stores.asSuperuser(copyWaiting)]);
  // Without this statement, a checkpoint could run during the measurement.
  await stores.asSuperuser(async (client) => void (await client.query("checkpoint")));
}

/**
 * Foreign keys and triggers are disabled, because checking millions of inserted rows takes too long. So are the indexes,
 * because building them afterwards takes less time: PostgreSQL adds no rows to an index that is not ready, and
 * `reindex` makes it ready and valid again.
 */
export async function insertMany(client: Client, table: string, insert: string, values: unknown[]): Promise<void> {
  await client.query("set session_replication_role = replica");
  await client.query("set maintenance_work_mem = '512MB'");
  await client.query("update pg_index set indisready = false, indisvalid = false where indrelid = $1::regclass", [
    table,
  ]);
  await client.query(insert, values);
  await client.query(`reindex table ${table}`);
  // Without this statement, a vacuum could run during the measurement.
  await client.query(`vacuum analyze ${table}`);
}

async function copyTable(client: Client, copied: Copied, factor: number): Promise<void> {
  await insertMany(client, copied.table, await copyStatement(client, copied), [factor]);
}

async function copyStatement(client: Client, { table, where, columns }: Copied): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    "select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1",
    [table],
  );
  const names = rows.map(({ name }) => name);
  const values = names.map((name) => columns[name] ?? name);
  return `insert into ${table} (${names.join(", ")})
    select ${values.join(", ")} from ${table}, generate_series(2, $1::integer) n ${where === undefined ? "" : `where ${where}`}`;
}
