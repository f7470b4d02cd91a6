import { type Static, Type } from "typebox";
import type { App } from "../../../../app.ts";
import { ROTATION_REASONS } from "../../../../foundation/vocabulary.ts";
import { Count, Flag, OneOf, StrictObject } from "../../../../foundation/wire/fields.ts";
import { SHORT_LEASE_MS } from "../../../../idempotency/claim.ts";
import type { ProjectKey } from "../../../../modules/projects/queries.ts";
import type { RequestedRotation } from "../../../../modules/services/rotation/request-rotation.ts";
import { getRotation } from "../../../../modules/services/rotation/rotation.ts";
import {
  presentServiceRotation,
  ServiceRotationResource,
} from "../../../../modules/services/rotation/rotation-resource.ts";
import { errorForOperation, presentOperation } from "../../../../operations/operation-resource.ts";
import { rotateService } from "../../../../workflows/rotate-service/rotate-service.ts";
import { actorOf } from "../../../auth/principal.ts";
import { type ReferenceOutcome, replyByReference } from "../../../idempotency.ts";
import { pathId } from "../../../path-id.ts";
import { endpoint } from "../../../route.ts";
import { boundAgentOf } from "../../agents/acting-agent.ts";
import { projectKeyOf } from "../project-key.ts";

/** How long the former credential stays valid by default. */
const GRACE_SECONDS_DEFAULT = 3_600;

const RotateServiceRequest = StrictObject("RotateServiceRequest", {
  grace_period_seconds: Type.Optional(
    Count(
      "How long the former credential stays valid, in seconds. Default: 3600. Ignored if the provider ends it at once.",
      { minimum: 0, maximum: 86_400 },
    ),
  ),
  reason: Type.Optional(
    OneOf(
      ROTATION_REASONS,
      "`compromised`: the former credential is retired at once, even if a rotation is already running, and a running grace period ends. Default: `scheduled`.",
    ),
  ),
  retire_previous: Type.Optional(
    Flag(
      "Ends the grace period of the former credential, if one is running. Otherwise the call fails then. Default: false.",
    ),
  ),
  confirm_downtime: Type.Optional(Flag("Omits the warning `downtime`. Default: false.")),
});

export const rotateServiceRoute = endpoint("POST /api/v1/svc/projects/:project_id/services/:service_id/rotate", {
  operationId: "rotateService",
  sdk: "projects.services.rotate",
  summary: "Rotate a service's credentials",
  description:
    "Issues new credentials at the provider, uses them once if possible, and puts them into the env bundles. The operation then ends. The former credentials stay valid for the grace period and are then retired at the provider: `status` is `pending` until then. Waits up to 20 seconds for the operation. Fails with `conflict` while the service is being changed, unless `reason` is `compromised` and the service is being rotated or its change of plan waits for an approval, which is then canceled. Also fails with `conflict` during the grace period of an earlier rotation, unless `retire_previous` is true or `reason` is `compromised`. If the key is bound to agents, the agent that acts must be active and a member of the project, and its policies decide about `env.pull`: the call can also fail with `agent_suspended`, `policy_denied` or `kya_required`. Fails with `provider_error` if the provider rejects the call or the new credentials, and with `provider_unavailable` if the provider cannot be reached. The former credentials are then still valid.",
  auth: "tenant",
  scope: "services:write",
  replayGuard: "always",
  agentBound: "allowed",
  body: RotateServiceRequest,
  answers: { 200: ServiceRotationResource },
  errors: ["provider_error", "conflict", "agent_suspended", "policy_denied", "kya_required", "provider_unavailable"],
  example: { reason: "compromised" },
  run: async (app, request, reply) => {
    const actor = actorOf(request);
    const agentId = boundAgentOf(request);
    const key = projectKeyOf(request, request.params.project_id, agentId);
    const serviceId = pathId("srv", request.params.service_id);
    const {
      grace_period_seconds: gracePeriodSeconds = GRACE_SECONDS_DEFAULT,
      reason = "scheduled",
      confirm_downtime: confirmsDowntime = false,
      retire_previous: retiresPrevious = false,
    } = request.body;
    const order = { reason, gracePeriodSeconds, confirmsDowntime, retiresPrevious };
    const resolve = (requested: RequestedRotation) => resolveRotation(app, key, requested);
    const options = { status: 200, resolve, leaseMs: SHORT_LEASE_MS } as const;
    return replyByReference(app, request, reply, options, (saveResponse) =>
      rotateService(app, { actor, key, serviceId, agentId, order }, saveResponse),
    );
  },
});

async function resolveRotation(
  app: App,
  key: ProjectKey,
  { operationId }: RequestedRotation,
): Promise<ReferenceOutcome<Static<typeof ServiceRotationResource>>> {
  const found = await getRotation(app, { key, operationId });
  const { error } = found.operation;
  // After the new credential was published, an error does not mean that the request had no effect.
  if (error !== null && !found.rotation.changed) {
    return { kind: "error", error: errorForOperation(error) };
  }
  const { poll_url: pollUrl } = presentOperation(found.operation);
  return { kind: "response", body: presentServiceRotation({ ...found, pollUrl }) };
}
