import { Type } from "typebox";
import type { MeteredUsage, ProviderAccess } from "../../../ports/service-provider.ts";
import type { VendorApi } from "../../http-client/vendor-client.ts";

const DAY_MS = 24 * 3_600_000;
/** Neon bills storage per month of 744 hours, whatever the month's length, and a gigabyte has 10⁹ bytes. */
const BYTE_HOURS_PER_GB_MONTH = 744n * 1_000_000_000n;

/**
 * Neon's metrics that belong to a single project, with the catalog's metric and its unit
 * (https://neon.com/docs/introduction/usage-calculations). Transfer and extra branches are left out: their free
 * allowances apply to the organization and the plan.
 */
const METRICS: Readonly<Record<string, { readonly metric: string; readonly perUnit: bigint }>> = {
  compute_unit_seconds: { metric: "compute_hours", perUnit: 3_600n },
  root_branch_bytes_month: { metric: "storage_gb_months", perUnit: BYTE_HOURS_PER_GB_MONTH },
  child_branch_bytes_month: { metric: "storage_gb_months", perUnit: BYTE_HOURS_PER_GB_MONTH },
  instant_restore_bytes_month: {
    metric: "instant_restore_gb_months",
    perUnit: BYTE_HOURS_PER_GB_MONTH,
  },
};

const ConsumptionResponse = Type.Object({
  projects: Type.Array(
    Type.Object({
      project_id: Type.String(),
      periods: Type.Array(
        Type.Object({
          consumption: Type.Array(
            Type.Object({
              metrics: Type.Array(
                Type.Object({
                  metric_name: Type.String(),
                  value: Type.Number({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
                }),
              ),
            }),
          ),
        }),
      ),
    }),
  ),
});

/**
 * Returns a project's consumption by day. Undefined if Neon does not report it: for an account without an organization,
 * and for a deleted project.
 */
export async function readNeonUsage(
  neon: VendorApi,
  { accountId }: ProviderAccess,
  { resourceId, start, end }: { readonly resourceId: string; readonly start: Date; readonly end: Date },
): Promise<readonly MeteredUsage[] | undefined> {
  if (accountId === null) return undefined;
  const path = "/consumption_history/v2/projects";
  const { projects } = await neon.get("getConsumptionHistoryPerProjectV2", path, ConsumptionResponse, {
    query: {
      org_id: accountId,
      project_ids: resourceId,
      from: start.toISOString(),
      // Neon reports whole days.
      to: new Date(Math.ceil(end.getTime() / DAY_MS) * DAY_MS).toISOString(),
      granularity: "daily",
      metrics: Object.keys(METRICS).join(","),
    },
  });
  const project = projects.find(({ project_id }) => project_id === resourceId);
  const values = project?.periods.flatMap(({ consumption }) => consumption).flatMap(({ metrics }) => metrics);
  return (
    values &&
    Object.entries(METRICS).map(([name, { metric, perUnit }]) => ({
      metric,
      quantity: values
        .filter(({ metric_name }) => metric_name === name)
        .reduce((sum, { value }) => sum + BigInt(Math.ceil(value)), 0n),
      quantityPerUnit: perUnit,
    }))
  );
}
