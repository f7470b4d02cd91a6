import { newId } from "@purser/service/foundation/ids.ts";
import pg from "pg";
import type { CallTarget } from "../calls/measure-calls.ts";
import type { Stores } from "../stores.ts";
import { CALLERS } from "./payers.ts";

const ACCOUNTS = 1_000;
const BALANCE = 1e15;

const DEBIT = "update bench_accounts set balance = balance - $2 where account_id = $1";
const CREDIT = "update bench_accounts set balance = balance + $2 where account_id = $1";
const TRANSFER =
  "insert into bench_transfers (transfer_id, debit_account_id, credit_account_id, amount, created_at) values ($1, $2, $3, $4, $5)";
const AT_ONCE = `
  with debit as (
    update bench_accounts set balance = balance - $4 where account_id = $2
  ), credit as (
    update bench_accounts set balance = balance + $4 where account_id = $3
  )
  insert into bench_transfers (transfer_id, debit_account_id, credit_account_id, amount, created_at)
    values ($1, $2, $3, $4, $5)`;

/**
 * The least that a ledger does: it updates two of a thousand accounts, and inserts the transfer, in one transaction. It
 * runs in this process, without HTTP, signatures, tenants or checks. The accounts are locked in the order of their ids.
 */
export async function openTransfers(stores: Stores): Promise<{
  readonly inFiveRoundTrips: CallTarget;
  readonly inOneStatement: CallTarget;
  close(): Promise<void>;
}> {
  await stores.asSuperuser(async (client) => {
    await client.query(`
      create table bench_accounts (account_id integer primary key, balance numeric(38, 0) not null check (balance >= 0));
      create table bench_transfers (transfer_id text primary key, debit_account_id integer not null,
        credit_account_id integer not null, amount numeric(38, 0) not null, created_at timestamptz not null);
      grant all on bench_accounts, bench_transfers to purser_service`);
    await client.query("insert into bench_accounts select id, $2 from generate_series(0, $1::integer - 1) id", [
      ACCOUNTS,
      BALANCE,
    ]);
  });
  await stores.asSuperuser(async (client) => void (await client.query("vacuum analyze bench_accounts")));
  const { databaseUrl } = stores.configFor("transfers");
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CALLERS });
  return {
    inFiveRoundTrips: {
      name: "transfer in five round trips",
      callers: CALLERS,
      call: async () => {
        const { debit, credit } = pickAccounts();
        const client = await pool.connect();
        await client.query("begin");
        const updates = [
          { id: debit, name: "debit", text: DEBIT },
          { id: credit, name: "credit", text: CREDIT },
        ].toSorted((a, b) => a.id - b.id);
        for (const { id, ...update } of updates) await client.query({ ...update, values: [id, 1] });
        const values = [newId("ltr"), debit, credit, 1, new Date()];
        await client.query({ name: "transfer", text: TRANSFER, values });
        await client.query("commit");
        client.release();
      },
    },
    inOneStatement: {
      name: "transfer in one statement",
      callers: CALLERS,
      call: async () => {
        const { debit, credit } = pickAccounts();
        const [low, high] = debit < credit ? [debit, credit] : [credit, debit];
        // PostgreSQL runs the parts in their order, so a negative amount moves from the account with the higher id.
        const amount = low === debit ? 1 : -1;
        const values = [newId("ltr"), low, high, amount, new Date()];
        await pool.query({ name: "at-once", text: AT_ONCE, values });
      },
    },
    close: () => pool.end(),
  };
}

function pickAccounts() {
  const debit = Math.floor(Math.random() * ACCOUNTS);
  return { debit, credit: (debit + 1 + Math.floor(Math.random() * (ACCOUNTS - 1))) % ACCOUNTS };
}
