import { readFile } from "node:fs/promises";
import { sql } from "kysely";
import { expect, inject, it, onTestFinished } from "vitest";
import { createTestDatabase, run } from "../../../../test/database.ts";
import { listWrongBudgets } from "../../../budgets/queries.ts";
import { openDatabase } from "../../../db/database.ts";
import { migrate } from "../../../db/migrate.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { turnMonths } from "./turn-months.ts";

const DUMP = new URL("../../../../test/before-budgets.sql", import.meta.url);

it("migration 0013: the charges of a dump count in budgets, and the missed months are opened", async () => {
  const { url } = await createTestDatabase();
  await run(
    url,
    `create table schema_migrations (
      name text primary key constraint before_budgets check (name < '0011'),
      applied_at timestamptz not null default now()
    )`,
  );
  await expect(migrate({ ownerUrl: url })).rejects.toThrow("before_budgets");
  const name = new URL(url).pathname.slice(1);
  await run(`${inject("postgres").superuserUrl}${name}`, await readFile(DUMP, "utf8"));
  await run(url, "alter table schema_migrations drop constraint before_budgets");

  await migrate({ ownerUrl: url });

  const db = openDatabase({
    url,
    connectionsMax: { requests: 2, authentication: 1, jobs: 1 },
    statementTimeoutMs: 20_000,
    readTimeoutMs: 20_000,
    connectTimeoutMs: 20_000,
    onError: () => {},
  });
  onTestFinished(() => db.destroy());
  const rowsOf = async (text: string) => {
    const { rows } = await sql.raw<object>(text).execute(db);
    return rows.map((row) => Object.values(row).join(" "));
  };
  const budgets = () =>
    rowsOf(`select mode, subject_type, name, trunc(limit_micros / 10000)::text as cap,
      to_char(opened_period_start at time zone 'UTC', 'YYYY-MM') as opened,
      to_char(period_start at time zone 'UTC', 'YYYY-MM') as month,
      trunc(held_micros / 10000)::text as held, trunc(spent_micros / 10000)::text as spent
      from budgets join budget_periods using (tenant_id, budget_id) where mode = 'live'
      order by subject_type, name, period_start`);
  const tenants = (await rowsOf("select distinct tenant_id from budgets")) as TenantId[];
  const expectExact = async () => {
    for (const tenantId of tenants) {
      const changedSince = new Date(0);
      const wrong = await withTransaction(db, tenantId, (tx) =>
        listWrongBudgets(tx, { tenantId, changedSince }),
      );
      expect(wrong).toEqual([]);
    }
  };
  expect(tenants).toHaveLength(2);
  // Mode, type, provider, cap, open month, month, held and spent. Amounts in cents.
  expect(await budgets()).toEqual([
    "live project_cap  6000 2026-11 2026-10 1500 0",
    "live project_cap  6000 2026-11 2026-11 3500 0",
    "live provider_cap acme-db   2026-10 1000 0",
    "live provider_cap neon 1200  2026-10 500 0",
    "live provider_cap neon 1200  2026-11 1000 0",
    "live provider_cap supabase   2026-11 2500 0",
  ]);
  expect(
    await rowsOf(
      "select status, count(*), sum(amount_cents) from charges group by status order by 1",
    ),
  ).toEqual(["released 5 2500", "reserved 10 10000"]);
  await expectExact();

  await turnMonths({ db, clock: { now: () => new Date("2027-01-15T00:00:00Z") } });

  // Five services are in place.
  expect(await budgets()).toEqual(
    expect.arrayContaining([
      "live project_cap  6000 2027-01 2026-12 5000 0",
      "live project_cap  6000 2027-01 2027-01 5000 0",
      "live provider_cap neon 1200  2027-01 1500 0",
    ]),
  );
  expect(await rowsOf("select tenant_id from money_checks order by 1")).toEqual(tenants.toSorted());
  await expectExact();
});
