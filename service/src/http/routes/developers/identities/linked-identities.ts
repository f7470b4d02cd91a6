import { Type } from "typebox";
import {
  IdentityListResource,
  presentIdentities,
} from "../../../../modules/developers/identities/identity-resources.ts";
import { unlinkIdentity } from "../../../../modules/developers/identities/link-identity.ts";
import { listIdentities } from "../../../../modules/developers/identities/queries.ts";
import { actorOf, principalOf } from "../../../auth/principal.ts";
import { endpoint } from "../../../route.ts";
import { LoginProofRequest, loginProofOf } from "../login-proof.ts";

export const listIdentitiesRoute = endpoint("GET /api/v1/svc/developers/dashboard/identities", {
  operationId: "listIdentities",
  sdk: "developers.identities.list",
  summary: "List linked identities",
  description: "Returns the GitHub and Google accounts with which the developer can log in, ordered by provider.",
  auth: "dashboard",
  unverified: "allowed",
  answers: { 200: IdentityListResource },
  run: async (app, request) => {
    return presentIdentities(await listIdentities(app.db, principalOf(request).tenantId));
  },
});

export const unlinkIdentityRoute = endpoint("DELETE /api/v1/svc/developers/dashboard/identities/:provider", {
  operationId: "unlinkIdentity",
  sdk: "developers.identities.unlink",
  summary: "Unlink an identity",
  description:
    "Unlinks a GitHub or Google account. The developer can no longer log in with it. Requires a login within the last 15 minutes, or the field `password` or `totp_code`. Without one of these, the call fails with `reauthentication_required`. Fails with `conflict` if it is the developer's only way to log in, and with `identity_not_found` if no account of this provider is linked.",
  auth: "dashboard",
  params: Type.Object({ provider: Type.String({ description: "`github` or `google`." }) }),
  body: LoginProofRequest,
  answers: { 204: Type.Null() },
  errors: ["conflict", "reauthentication_required", "identity_not_found"],
  run: async (app, request, reply) => {
    await unlinkIdentity(app, {
      actor: actorOf(request),
      provider: request.params.provider,
      proof: loginProofOf(request, request.body),
    });
    return reply.code(204).send(null);
  },
});
