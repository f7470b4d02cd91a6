import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openStores } from "./stores.ts";
import { openPools } from "./calls/open-pools.ts";
import { getProjectOverview, listProjectOverviews } from "@purser/service/modules/projects/queries.ts";
import { listSpendingByProvider, listChargeRows, listDueCharges, listServicesToReserve } from "@purser/service/modules/projects/charges/queries.ts";
import { listBudgetsToOpen, listWrongBudgets, callSetBudgetLimits } from "@purser/service/budgets/queries.ts";
import { reserveBudgets } from "@purser/service/budgets/reserve-budgets.ts";
import { settleReservation } from "@purser/service/budgets/settle-reservation.ts";
import { withTransaction } from "@purser/service/db/transaction.ts";
import { periodOf } from "@purser/service/modules/projects/usage.ts";

const stores = await openStores();
try {
  const config = stores.configFor("x");
  const log = join(dirname(config.claimsFile as string), "postgres/server.log");
  await stores.asSuperuser(async (c) => {
    await c.query("set session_replication_role = replica");
    console.error(new Date(), "fill");
    await c.query(`insert into projects (tenant_id, project_id, mode, name, name_key, slug, status, monthly_cap_cents, currency, cap_behavior, environments, created_at, updated_at)
      select 'dev_' || t, 'proj_' || t || '_' || n, 'live', 'n', 'n' || n, 's', 'active', 10000, 'usd', 'block', '{}', now() - n * interval '1 second', now() from generate_series(1, 1000) t, generate_series(1, 1000) n`);
    await c.query(`insert into budgets (tenant_id, budget_id, mode, subject_type, subject_id, name, period, limit_micros, opened_period_start, has_alerts)
     select tenant_id, 'project_cap:' || project_id, mode, 'project_cap', project_id, '', 'calendar_month', 100000000,
       date_trunc('month', now(), 'UTC'), true from projects
     union all
     select tenant_id, 'provider_cap:' || project_id || ':neon', mode, 'provider_cap', project_id, 'neon', 'calendar_month', null,
       null, false from projects`);
    await c.query(`insert into budget_periods (tenant_id, budget_id, period_start, held_micros, spent_micros, changed_at)
     select tenant_id, budget_id, date_trunc('month', now(), 'UTC'), 0, 1000000, now() from budgets`);
    await c.query(`insert into charges (tenant_id, charge_id, project_id, mode, provider, type, description, amount_cents, currency, status, occurred_at, period_start, period_end, service_id)
     select 'dev_' || t, 'ch_' || t || '_' || n, 'proj_' || t || '_1', 'live', case when n % 10 = 0 then 'neon' else 'supabase' end, 'subscription', 'bench', 100, 'usd', case when n % 10 = 1 then 'reserved' else 'succeeded' end,
       date_trunc('month', now(), 'UTC') - (n % 10) * interval '1 month' + n * interval '1 second', date_trunc('month', now(), 'UTC') - (n % 10) * interval '1 month', date_trunc('month', now(), 'UTC')  - (n % 10 - 1) * interval '1 month', 'srv_' || n
     from generate_series(1, 1000) t, generate_series(1, 1000) n`);
    await c.query(`insert into budget_reservations (tenant_id, reservation_id, mode, cause_type, cause_id, amount_micros, status, created_at)
      select tenant_id, 'rsv_' || charge_id, 'live', 'charge', charge_id, 1000, 'held', occurred_at from charges`);
    await c.query(`insert into budget_reservation_lines (tenant_id, budget_id, period_start, reservation_id)
      select tenant_id, 'project_cap:' || project_id, period_start, 'rsv_' || charge_id from charges union all
      select tenant_id, 'provider_cap:' || project_id || ':neon', period_start, 'rsv_' || charge_id from charges`);
    await c.query("vacuum analyze");
    const { rows } = await c.query("select current_database() as name");
    for (const [k, v] of [["session_preload_libraries", "'auto_explain'"], ["auto_explain.log_min_duration", "0"], ["auto_explain.log_analyze", "on"], ["auto_explain.log_nested_statements", "on"], ["auto_explain.log_timing", "off"]])
      await c.query(`alter database ${rows[0].name} set ${k} = ${v}`);
    console.error(new Date(), "filled");
  });
  const { db, close } = openPools(config.databaseUrl);
  const key: any = { tenantId: "dev_77", projectId: "proj_77_1", mode: "live", agentIds: [], projectIds: [] };
  const now = new Date();
  const month = periodOf(now);
  const next = new Date(month.end);
  const last = new Date(month.start.getTime() - 86400000);
  let n = 0;
  const page = <T>(f: (after: T | undefined) => Promise<readonly T[]>) => async () => { const first = await f(undefined); if (first.length > 0) await f(first.at(-1)); return first.length; };
  const cases: Record<string, () => Promise<unknown>> = {
    getProjectOverview: () => getProjectOverview(db, key, now),
    listProjectOverviews: () => listProjectOverviews(db, key, { now, limit: 50, offset: 100 }),
    listSpendingByProvider: () => listSpendingByProvider(db, key, month.start),
    "listChargeRows none": () => listChargeRows(db, key, { limit: 51 }),
    "listChargeRows period": () => listChargeRows(db, key, { limit: 51, periodStart: periodOf(last).start }),
    "listChargeRows provider": () => listChargeRows(db, key, { limit: 51, provider: "neon" }),
    "listChargeRows absent provider": () => listChargeRows(db, key, { limit: 51, provider: "acme" }),
    "listChargeRows period provider after": () => listChargeRows(db, key, { limit: 51, provider: "neon", periodStart: month.start, after: "ch_77_500" }),
    "listChargeRows after": () => listChargeRows(db, key, { limit: 51, after: "ch_77_500" }),
    "listDueCharges": page((after: any) => listDueCharges(db, { at: now, after, limit: 100 })),
    "listBudgetsToOpen none due": page((after: any) => listBudgetsToOpen(db, { subjectType: "project_cap", periodStart: month.start, after, limit: 100 })),
    "listBudgetsToOpen all due": page((after: any) => listBudgetsToOpen(db, { subjectType: "project_cap", periodStart: next, after, limit: 100 })),
    "listServicesToReserve": () => withTransaction(db, key.tenantId, (tx) => listServicesToReserve(tx, key, month.start)),
    "reserveBudgets": () => withTransaction(db, key.tenantId, (tx) => reserveBudgets(tx, { reservationId: `rsv_x${(n += 1)}`, mode: "live", causeType: "charge", causeId: "c", amountMicros: 1n as any, at: now, recordedAt: now, budgets: [{ subjectType: "project_cap", subjectId: "proj_77_1", name: "" }, { subjectType: "provider_cap", subjectId: "proj_77_1", name: "neon", period: "calendar_month", limitMicros: null }] })),
    "reserveBudgets crossing": () => withTransaction(db, key.tenantId, (tx) => reserveBudgets(tx, { reservationId: `rsv_y${(n += 1)}`, mode: "live", causeType: "charge", causeId: "c", amountMicros: (90_000_000n) as any, at: now, recordedAt: now, budgets: [{ subjectType: "project_cap", subjectId: `proj_77_${n}`, name: "" }] })),
    "settleReservation": () => withTransaction(db, key.tenantId, (tx) => settleReservation(tx, { reservationId: `rsv_x${(n += 1) - 14}`, committedMicros: 2n as any, at: now })),
    "setBudgetLimits": () => withTransaction(db, key.tenantId, (tx) => callSetBudgetLimits(tx, [{ budget_id: "project_cap:proj_77_1", limit_micros: "100000001" }] as any, now)),
    "listWrongBudgets": () => withTransaction(db, key.tenantId, (tx) => listWrongBudgets(tx, { tenantId: key.tenantId, changedSince: new Date(now.getTime() - 60_000) })),
  };
  let out = "";
  let at = (await readFile(log, "utf8")).length;
  for (const [name, run] of Object.entries(cases)) {
    for (const round of [1, 2, 3, 4, 5, 6, 7]) {
      const t = performance.now();
      const result = await run().catch((e) => `FAILED ${e}`);
      const ms = performance.now() - t;
      await new Promise((r) => setTimeout(r, 30));
      const text = await readFile(log, "utf8");
      if (round === 1 || round === 7) out += `\n##### ${name} round ${round} ${ms.toFixed(1)} ms ${Array.isArray(result) ? result.length : typeof result === "string" || typeof result === "number" ? result : ""}\n${text.slice(at)}`;
      at = text.length;
    }
  }
  await writeFile("/tmp/explain.txt", out);
  await close();
} finally {
  await stores.close();
}
