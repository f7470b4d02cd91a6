import { Problem } from "../../../../foundation/wire/problem.ts";
import {
  presentTotpEnrollment,
  startTotpSetup,
  TotpEnrollmentResource,
} from "../../../../modules/developers/second-factor/totp-setup.ts";
import { actorOf } from "../../../auth/principal.ts";
import { replyOnce } from "../../../idempotency.ts";
import { endpoint, principalOf } from "../../../route.ts";
import { LoginProofRequest, loginProofOf } from "../login-proof.ts";

export const startTotpSetupRoute = endpoint("POST /api/v1/svc/developers/dashboard/mfa/totp", {
  config: { auth: "dashboard" },
  schema: {
    operationId: "beginTotp",
    summary: "Start the TOTP setup",
    description:
      "Creates a secret for an authenticator app and returns it once. Logins do not require a code until the secret is confirmed. A second call replaces an unconfirmed secret. Requires a login within the last 15 minutes, or the field `password`. Without one of these, the call fails with `reauthentication_required`. Fails with `already_exists` if the account has a second factor.",
    body: LoginProofRequest,
    response: { 200: TotpEnrollmentResource, 409: Problem },
  },
  handler: async (app, request, reply) => {
    const actor = actorOf(request, principalOf(request));
    const proof = loginProofOf(request, request.body);
    return replyOnce(
      app,
      request,
      reply,
      {
        status: 200,
        secret: true,
        present: presentTotpEnrollment,
      },
      (saveResponse) => startTotpSetup(app, { actor, proof }, saveResponse),
    );
  },
});
