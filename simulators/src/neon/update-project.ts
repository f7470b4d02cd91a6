import { randomUUID } from "node:crypto";
import { type Static, Type } from "typebox";
import type { VendorContext, VendorRequest, VendorResponse } from "../kit/vendor-simulator.ts";
import { accountOf } from "./neon-accounts.ts";
import { neonError } from "./neon-errors.ts";
import { type NeonProject, PROJECT } from "./neon-projects.ts";
import { presentOperation, presentProject } from "./present-project.ts";

const CLOSED = { additionalProperties: false };
const Quota = Type.Optional(Type.Integer({ minimum: 0 }));
const ComputeUnits = Type.Optional(Type.Number({ minimum: 0.25, maximum: 56 }));

/** The request fields that the simulator supports. Other fields are rejected. */
export const UpdateProjectBody = Type.Object(
  {
    project: Type.Object(
      {
        settings: Type.Optional(
          Type.Object(
            {
              quota: Type.Optional(
                Type.Object(
                  {
                    active_time_seconds: Quota,
                    compute_time_seconds: Quota,
                    written_data_bytes: Quota,
                    data_transfer_bytes: Quota,
                    logical_size_bytes: Quota,
                  },
                  CLOSED,
                ),
              ),
            },
            CLOSED,
          ),
        ),
        default_endpoint_settings: Type.Optional(
          Type.Object({ autoscaling_limit_min_cu: ComputeUnits, autoscaling_limit_max_cu: ComputeUnits }, CLOSED),
        ),
        history_retention_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_592_000 })),
      },
      CLOSED,
    ),
  },
  CLOSED,
);

/** What an organization on the free plan can set. All other organizations of the simulator are on the scale plan. */
const FREE_PLAN_MAX = { historySeconds: 21_600, computeUnits: 2 };

/** Changes a project's settings. Responds 422 if the organization's plan does not include them. */
export async function updateProject(
  project: NeonProject,
  request: VendorRequest,
  context: VendorContext,
  proxyHost: string,
): Promise<VendorResponse> {
  // The body was validated against this schema before `handle` was called.
  const { project: requested } = request.body as Static<typeof UpdateProjectBody>;
  const { history_retention_seconds: historySeconds = 0, default_endpoint_settings: endpoint } = requested;
  const { autoscaling_limit_min_cu: minimum = 0.25, autoscaling_limit_max_cu: maximum = minimum } = endpoint ?? {};
  if (minimum > maximum) return neonError(400, "autoscaling_limit_min_cu exceeds the maximum");
  const { isOnFreePlan } = accountOf(request);
  const isTooMuch = historySeconds > FREE_PLAN_MAX.historySeconds || maximum > FREE_PLAN_MAX.computeUnits;
  if (isOnFreePlan && isTooMuch) {
    return neonError(422, "the settings are not available on the organization's plan");
  }
  const operations = [...project.data.operations, { id: randomUUID(), action: "apply_config" }];
  const settings = { ...project.data.settings, ...requested };
  const updated = { ...project, data: { ...project.data, operations, settings } };
  await context.objects.update(PROJECT, project.id, { data: updated.data });
  return {
    status: 200,
    body: {
      project: presentProject(updated, proxyHost),
      operations: operations.slice(-1).map((operation) => presentOperation(updated, operation)),
    },
  };
}
