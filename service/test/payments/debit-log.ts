import { sql } from "kysely";
import { run, type TestDatabase } from "../database.ts";
import type { useHarness } from "../harness.ts";

/**
 * Makes the database log every change of a frozen ledger account that takes or holds money. A row's changes are in the order
 * of their commits, because each transaction locks the row. So the log shows what was settled after a freeze.
 */
export async function logDebitsOfFrozenAccounts({ superuserUrl }: Pick<TestDatabase, "superuserUrl">): Promise<void> {
  await run(
    superuserUrl,
    `create table frozen_debits (account_id text not null, paid numeric not null, held numeric not null);
     grant select on frozen_debits to public;
     create function log_frozen_debit() returns trigger language plpgsql security definer as $$
     begin
       insert into frozen_debits values (new.account_id, old.posted - new.posted, new.held - old.held);
       return null;
     end $$;
     create trigger log_frozen_debits after update on ledger_accounts for each row
       when (old.frozen is not null and (new.posted < old.posted or new.held > old.held))
       execute function log_frozen_debit();`,
  );
}

/** Returns the number of changes that took or held money of a frozen account. */
export async function countDebitsOfFrozenAccounts({
  app,
}: Pick<ReturnType<typeof useHarness>, "app">): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from frozen_debits`.execute(app.db);
  return rows[0]?.count ?? 0;
}
