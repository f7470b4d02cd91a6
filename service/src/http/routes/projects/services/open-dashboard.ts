import { Type } from "typebox";
import { Nullable, Timestamp } from "../../../../foundation/wire/fields.ts";
import { NamedObject } from "../../../../foundation/wire/named-object.ts";
import { openServiceDashboard } from "../../../../modules/services/open-dashboard.ts";
import { actorOf } from "../../../auth/principal.ts";
import { replyOnce } from "../../../idempotency.ts";
import { pathId } from "../../../path-id.ts";
import { endpoint } from "../../../route.ts";
import { projectKeyOf } from "../project-key.ts";

const DeepLinkResource = NamedObject("DeepLink", {
  object: Type.Literal("deep_link"),
  url: Type.String({
    description: "URL of the provider's dashboard that can be used once. Keep it secret: anyone who has it can use it.",
  }),
  expires_at: Nullable(Timestamp, "When the URL expires. Null if the provider does not say."),
});

export const openDashboardRoute = endpoint("POST /api/v1/svc/projects/:project_id/services/:service_id/deep-link", {
  operationId: "createDeepLink",
  sdk: "projects.services.deepLink",
  summary: "Open a service's dashboard",
  description:
    "Returns a URL that opens the service in its provider's dashboard and can be used once. It is not stored: a repeated call with the same Idempotency-Key fails with `secret_already_issued`. Fails with 404 `not_found` if `dashboard_url_available` of the service is false.",
  auth: "tenant",
  scope: "services:write",
  replayGuard: "always",
  answers: { 200: DeepLinkResource },
  errors: ["not_found"],
  run: async (app, request, reply) => {
    const { project_id, service_id } = request.params;
    const command = {
      actor: actorOf(request),
      key: projectKeyOf(request, project_id),
      serviceId: pathId("srv", service_id),
    };
    const present = ({ url, expiresAt }: Awaited<ReturnType<typeof openServiceDashboard>>) => ({
      object: "deep_link" as const,
      url,
      expires_at: expiresAt?.toISOString() ?? null,
    });
    return replyOnce(app, request, reply, { status: 200, present, secret: true }, (saveResponse) =>
      openServiceDashboard(app, command, saveResponse),
    );
  },
});
