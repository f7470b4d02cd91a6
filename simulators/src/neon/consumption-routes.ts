import { type Static, Type } from "typebox";
import type { VendorContext, VendorRequest, VendorResponse, VendorRoute } from "../kit/vendor-simulator.ts";
import { accountOf, authenticate, resolveOwner } from "./neon-accounts.ts";
import { neonError } from "./neon-errors.ts";
import { type NeonProject, projectsOf } from "./neon-projects.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Neon keeps daily metrics for 60 days. */
const DAYS_MAX = 60;

/** What every simulated project uses in an hour: a fortieth of a compute unit, and 32 MB of storage. */
const HOURLY_USE: Readonly<Record<string, number>> = {
  compute_unit_seconds: 90,
  root_branch_bytes_month: 32_000_000,
  child_branch_bytes_month: 0,
  instant_restore_bytes_month: 1_000_000,
};

/** Accounts with this name are on a plan without the API. */
export const UNMETERED_MARK = "unmetered";

const ConsumptionQuery = Type.Object(
  {
    from: Type.String({ format: "date-time" }),
    to: Type.String({ format: "date-time" }),
    granularity: Type.Literal("daily"),
    org_id: Type.String(),
    metrics: Type.String(),
    project_ids: Type.Optional(Type.String()),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  },
  { additionalProperties: false },
);

/** Routes that return the projects' metered use. Other granularities than `daily` are not simulated. */
export const consumptionRoutes: readonly VendorRoute[] = [
  {
    operation: "getConsumptionHistoryPerProjectV2",
    method: "GET",
    url: "/api/v2/consumption_history/v2/projects",
    query: ConsumptionQuery,
    auth: authenticate,
    handle: listConsumption,
  },
];

async function listConsumption(request: VendorRequest, context: VendorContext): Promise<VendorResponse> {
  // The query was validated against this schema before the handler was called.
  const query = request.query as Static<typeof ConsumptionQuery>;
  const account = accountOf(request);
  const ownerId = resolveOwner(account, query.org_id);
  if (typeof ownerId !== "string") return ownerId;
  if (account.name.startsWith(UNMETERED_MARK)) {
    return neonError(403, "This endpoint is not available. It is included with Launch plans and above.");
  }
  const metrics = query.metrics.split(",");
  const unknown = metrics.find((metric) => !(metric in HOURLY_USE));
  if (unknown !== undefined) return neonError(400, `unknown metric ${unknown}`);
  const from = Date.parse(query.from);
  const now = context.now().getTime();
  if (from < now - DAYS_MAX * DAY_MS) return neonError(406, "from is outside the lookback limit");
  const ids = query.project_ids?.split(",");
  const projects = (await projectsOf(context, [ownerId])).filter(({ id }) => ids?.includes(id) ?? true);
  const until = Math.min(Date.parse(query.to), now);
  return {
    status: 200,
    body: { projects: projects.map((project) => presentUse(project, { from, until, metrics })) },
  };
}

function presentUse(
  { id, createdAt }: NeonProject,
  { from, until, metrics }: { readonly from: number; readonly until: number; readonly metrics: readonly string[] },
) {
  const consumption = [];
  for (let day = from - (from % DAY_MS); day < until; day += DAY_MS) {
    const end = Math.min(day + DAY_MS, until);
    const hours = Math.max(0, end - Math.max(day, createdAt.getTime())) / HOUR_MS;
    // Neon omits days without use.
    if (hours === 0) continue;
    consumption.push({
      timeframe_start: new Date(day).toISOString(),
      timeframe_end: new Date(day + DAY_MS).toISOString(),
      metrics: metrics.map((metric_name) => ({
        metric_name,
        value: Math.round((HOURLY_USE[metric_name] ?? 0) * hours),
      })),
    });
  }
  const period = { period_id: id, period_plan: "launch_v3", period_start: createdAt.toISOString() };
  return { project_id: id, periods: [{ ...period, consumption }] };
}
