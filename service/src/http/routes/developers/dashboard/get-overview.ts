import { limitCostlyRead } from "../../../../call-limits/count-call.ts";
import { invalidField } from "../../../../foundation/errors.ts";
import { OverviewResource, presentOverview } from "../../../../workflows/dashboard/overview-resource.ts";
import { readOverview } from "../../../../workflows/dashboard/read-overview.ts";
import { principalOf } from "../../../auth/principal.ts";
import { endpoint } from "../../../route.ts";

export const getOverviewRoute = endpoint("GET /api/v1/svc/developers/dashboard/overview", {
  operationId: "getDashboardOverview",
  sdk: "developers.getDashboardOverview",
  summary: "Get the dashboard overview",
  description:
    "Returns what the first page of a dashboard shows, as it was at one moment: this month's spending, balances, the newest payments, what needs a person now, and which first steps are done. Requires `X-Svc-Mode`. The email address does not have to be verified.",
  auth: "dashboard",
  unverified: "allowed",
  answers: { 200: OverviewResource },
  errors: ["rate_limited"],
  run: async (app, request) => {
    const { tenantId, mode } = principalOf(request);
    if (mode === null) throw invalidField("/headers/x-svc-mode", "enum", "must be live or test");
    await limitCostlyRead(app, "overview", tenantId);
    return presentOverview(await readOverview(app, { tenantId, mode }));
  },
});
