import { openBudget } from "@purser/service/budgets/open-budget.ts";
import { reserveBudgets } from "@purser/service/budgets/reserve-budgets.ts";
import { withTransaction } from "@purser/service/db/transaction.ts";
import { newId, type ProjectId, type TenantId } from "@purser/service/foundation/ids.ts";
import { usdMicros } from "@purser/service/foundation/money.ts";
import type { Pair } from "../compare.ts";
import { CALLERS, openPools, runBaseline } from "./open-pools.ts";

const LIMIT_MICROS = usdMicros(1_000_000_000_000_000n);

/** The baseline locks both budgets, and checks and writes the same rows with one more statement. */
const LOCK = `
  select from budgets where tenant_id = $1 and budget_id = any($2::text[]) order by budget_id for no key update`;
const RESERVE = `
  with line as (
    select budget.budget_id
    from budgets as budget
    left join budget_periods as part
      on part.tenant_id = budget.tenant_id and part.budget_id = budget.budget_id and part.period_start = $3
    where budget.tenant_id = $1 and budget.budget_id = any($2::text[])
      and coalesce(part.held_micros + part.spent_micros, 0) + $4 <= budget.limit_micros
  ), fits as (
    select where (select count(*) from line) = cardinality($2::text[])
  ), counting as (
    insert into budget_periods as part (tenant_id, budget_id, period_start, held_micros, spent_micros, changed_at)
    select $1, line.budget_id, $3, $4, 0, $5::timestamptz from line, fits
    on conflict (tenant_id, budget_id, period_start)
      do update set held_micros = part.held_micros + excluded.held_micros, changed_at = excluded.changed_at
  ), reserving as (
    insert into budget_reservations (tenant_id, reservation_id, mode, cause_type, cause_id, amount_micros, status, created_at)
    select $1, $6, 'live', 'charge', 'ch_1', $4, 'held', $5 from fits
  )
  insert into budget_reservation_lines (tenant_id, budget_id, period_start, reservation_id)
    select $1, line.budget_id, $3, $6 from line, fits`;

/** Compares reservations against the caps of one project and of one provider. */
export async function startBudgetPair(databaseUrl: string): Promise<{ readonly pair: Pair; close(): Promise<void> }> {
  const { db, pool, close } = openPools(databaseUrl);

  /** Opens a project's budgets. Returns a function that reserves a millionth of a dollar in both. */
  const openProject = async () => {
    const tenantId = newId("dev");
    const projectId = newId("proj");
    const limit = { period: "calendar_month", limitMicros: LIMIT_MICROS } as const;
    const projectCap = { subjectType: "project_cap", subjectId: projectId, name: "" };
    const providerCap = {
      subjectType: "provider_cap",
      subjectId: projectId,
      name: "neon",
      ...limit,
    };
    const reserve = async () => {
      const at = new Date();
      const { outcome } = await withTransaction(db, tenantId, (tx) =>
        reserveBudgets(tx, {
          reservationId: newId("rsv"),
          mode: "live",
          causeType: "charge",
          causeId: "ch_1",
          amountMicros: usdMicros(1n),
          budgets: [projectCap, providerCap],
          at,
          recordedAt: at,
        }),
      );
      if (outcome !== "reserved") throw new Error(`The amount was not reserved: ${outcome}`);
    };
    await withTransaction(db, tenantId, (tx) =>
      openBudget(tx, { ...projectCap, ...limit, tenantId, mode: "live" }, monthStart(new Date())),
    );
    await reserve();
    return { tenantId, projectId, reserve };
  };

  const { reserve: purser } = await openProject();
  const baselineProject = await openProject();
  const baseline = () => reserveInBaseline(pool, baselineProject);
  return {
    pair: {
      title: `budgets: reserve in the caps of one project and one provider, ${CALLERS} callers ÷ baseline (pg)`,
      goal: 0.6,
      candidate: { name: "Purser", callers: CALLERS, call: purser },
      baseline: { name: "baseline", callers: CALLERS, call: baseline },
    },
    close,
  };
}

async function reserveInBaseline(
  pool: Parameters<typeof runBaseline>[0],
  { tenantId, projectId }: { readonly tenantId: TenantId; readonly projectId: ProjectId },
): Promise<void> {
  const ids = [`project_cap:${projectId}`, `provider_cap:${projectId}:neon`];
  const at = new Date();
  const lines = await runBaseline(
    pool,
    tenantId,
    { name: "lock", text: LOCK, values: [tenantId, ids] },
    {
      name: "reserve",
      text: RESERVE,
      values: [tenantId, ids, monthStart(at), 1n, at, newId("rsv")],
    },
  );
  if (lines !== ids.length) throw new Error("The amount was not reserved.");
}

function monthStart(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()));
}
