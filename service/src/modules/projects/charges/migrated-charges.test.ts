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

/** Restores a dump of the version before migration 0011, and applies the migrations before `end`. */
async function migratedDump(end?: string) {
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

  if (end === undefined) await migrate({ ownerUrl: url });
  else {
    const check = `alter table schema_migrations add constraint end_of_test check (name < '${end}')`;
    await run(url, check);
    await expect(migrate({ ownerUrl: url })).rejects.toThrow("end_of_test");
  }

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
  const tenants = (await rowsOf("select distinct tenant_id from budgets")) as TenantId[];
  const expectExact = async () => {
    for (const tenantId of tenants) {
      const changedSince = new Date(0);
      const wrong = await withTransaction(db, tenantId, (tx) => listWrongBudgets(tx, { tenantId, changedSince }));
      expect(wrong).toEqual([]);
    }
  };
  /** Applies the other migrations, after the processes of the version before have ended. */
  const migrateFully = async () => {
    await run(url, "alter table schema_migrations drop constraint end_of_test");
    await migrate({ ownerUrl: url });
  };
  return { db, name, rowsOf, tenants, expectExact, migrateFully };
}

it("migration 0013: the charges of a dump count in budgets, and the missed months are opened", async () => {
  const { db, rowsOf, tenants, expectExact } = await migratedDump();
  const budgets = () =>
    rowsOf(`select mode, subject_type, name, trunc(limit_micros / 10000)::text as cap,
      to_char(opened_period_start at time zone 'UTC', 'YYYY-MM') as opened,
      to_char(period_start at time zone 'UTC', 'YYYY-MM') as month,
      trunc(held_micros / 10000)::text as held, trunc(spent_micros / 10000)::text as spent
      from budgets join budget_periods using (tenant_id, budget_id) where mode = 'live'
      order by subject_type, name, period_start`);
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
  expect(await rowsOf("select status, count(*), sum(amount_cents) from charges group by status order by 1")).toEqual([
    "released 5 2500",
    "reserved 10 10000",
  ]);
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

it("migration 0027: a reserved charge is for the plan that its service has", async () => {
  const { rowsOf } = await migratedDump();

  expect(
    await rowsOf(`select charges.status, count(*) as charges, count(nullif(charges.plan = services.plan, false)) as planned
      from charges join services using (tenant_id, service_id) group by 1 order by 1`),
  ).toEqual(["released 5 0", "reserved 10 10"]);
  expect(
    await rowsOf(`select count(*) from pg_class
      where relname in ('charges', 'services') and relforcerowsecurity`),
  ).toEqual(["2"]);
});

it("migration 0013: charges, caps and deletions of processes of the version before change the budgets", async () => {
  const { db, name, rowsOf, expectExact, migrateFully } = await migratedDump("0029");
  const [found] = await rowsOf("select tenant_id, project_id from projects where mode = 'live' and name = 'shop'");
  const [tenantId, projectId] = (found ?? "").split(" ") as [TenantId, string];
  /** Runs the statements of the version before, under row-level security. */
  const before = (statements: string) =>
    run(`${inject("postgres").serviceUrl}${name}`, `set purser.tenant_id = '${tenantId}'; ${statements}`);
  const reserve = (
    chargeId: string,
    cents: number,
    { provider = "acme-db", project = projectId, service = "srv_1" } = {},
  ) =>
    before(`insert into charges (tenant_id, charge_id, project_id, mode, service_id, provider, type, description,
        amount_cents, currency, status, agent_id, occurred_at)
      values ('${tenantId}', '${chargeId}', '${project}', 'live', '${service}', '${provider}', 'subscription',
        'first month', ${cents}, 'usd', 'reserved', null, '2026-11-30T23:59:59Z')`);
  const move = (chargeId: string, status: string) =>
    before(`update charges set status = '${status}' where charge_id = '${chargeId}'`);
  const budgets = (project = projectId) =>
    rowsOf(`select subject_type, name, trunc(limit_micros / 10000)::text as cap, trunc(held_micros / 10000)::text as held
      from budgets join budget_periods using (tenant_id, budget_id)
      where subject_id = '${project}' and period_start = '2026-11-01T00:00:00Z' order by 1, 2`);

  // Reserved, activated, and one that fails to be added.
  await reserve("ch_old1", 1000);
  await move("ch_old1", "pending");
  await reserve("ch_old2", 500, { service: "srv_2" });
  await move("ch_old2", "released");
  expect(await budgets()).toEqual([
    "project_cap  6000 4500",
    "provider_cap acme-db  1000",
    "provider_cap neon 1200 1000",
    "provider_cap supabase  2500",
  ]);
  expect(await rowsOf("select status, period_end from charges where charge_id = 'ch_old1'")).toEqual([
    `reserved ${new Date("2026-12-01T00:00:00Z")}`,
  ]);
  await expectExact();

  // A removal: the job settles the charge.
  const [removed] = await rowsOf(`select charge_id, service_id from charges
    where project_id = '${projectId}' and provider = 'supabase' and status = 'reserved'`);
  const [chargeId = "", serviceId = ""] = (removed ?? "").split(" ");
  await before(`update services set status = 'removing' where service_id = '${serviceId}'`);
  await move(chargeId, "released");
  expect(
    await rowsOf(`select status, period_end <= now() as is_due from charges where charge_id = '${chargeId}'`),
  ).toEqual(["reserved true"]);

  // The first charge of a project.
  const [empty] = await rowsOf("select project_id from projects where mode = 'live' and name = 'empty'");
  await reserve("ch_old3", 700, { project: empty ?? "", service: "srv_3" });
  await before(`update projects set monthly_cap_cents = 800, provider_caps = '{"acme-db": "750"}'
    where project_id = '${empty}'`);
  expect(await budgets(empty)).toEqual(["project_cap  800 700", "provider_cap acme-db 750 700"]);

  await before(`update projects set status = 'deleted', deleted_at = now() where project_id = '${empty}'`);
  await migrateFully();
  await turnMonths({ db, clock: { now: () => new Date("2026-12-15T00:00:00Z") } });
  expect(
    await rowsOf(
      `select count(*) from budget_periods where budget_id like '%${empty}%' and period_start > '2026-11-01'`,
    ),
  ).toEqual(["0"]);
  await expectExact();
});

it("migration 0034: a service has the biller of its charges, and the estimate of its metered use", async () => {
  const { name, rowsOf, migrateFully } = await migratedDump("0034");
  // Purser bills two services. The plan of one of them left the catalog, so a later charge says otherwise.
  await run(
    `${inject("postgres").superuserUrl}${name}`,
    `update charges set billed_by = 'purser' from services
      where services.service_id = charges.service_id and services.name in ('acme', 'second');
    update charges set type = 'usage' from services
      where services.service_id = charges.service_id and services.name = 'second';
    update services set price_cents = 0 where name = 'second';
    insert into charges (tenant_id, charge_id, project_id, mode, service_id, provider, type, plan, description,
        amount_cents, currency, status, occurred_at, period_start, period_end)
      select charges.tenant_id, charge_id || '2', charges.project_id, charges.mode, service_id, charges.provider, type,
        charges.plan, description, 999900, currency, 'released', occurred_at, period_end, period_end + interval '1 month'
      from charges join services using (service_id) where services.name = 'acme'`,
  );

  await migrateFully();

  expect(
    await rowsOf(`select name, billed_by, price_cents::text as price, preauthorization_cents::text as estimate
      from services where mode = 'live' and status = 'active' order by 1`),
  ).toEqual([
    "acme purser 1000 0",
    "free  0 0",
    "october vendor 0 0",
    "pro vendor 2500 0",
    "second purser 0 500",
    "third vendor 0 0",
  ]);
  expect(
    await rowsOf(`select count(*) from pg_class
      where relname in ('charges', 'services') and relforcerowsecurity`),
  ).toEqual(["2"]);
});
