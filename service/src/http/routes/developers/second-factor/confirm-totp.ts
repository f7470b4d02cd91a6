import { Type } from "typebox";
import { Problem } from "../../../../foundation/wire/problem.ts";
import {
  confirmTotp,
  presentRecoveryCodes,
  RecoveryCodesResource,
} from "../../../../modules/developers/second-factor/totp-setup.ts";
import { actorOf } from "../../../auth/principal.ts";
import { replyOnce } from "../../../idempotency.ts";
import { endpoint, principalOf } from "../../../route.ts";
import { TotpCodeIn } from "../fields.ts";
import { LOGIN_PROOF, loginProofOf } from "../login-proof.ts";

const TotpConfirmRequest = Type.Object(
  { code: TotpCodeIn, ...LOGIN_PROOF },
  { $id: "TotpConfirmRequest", additionalProperties: false },
);

export const confirmTotpRoute = endpoint("POST /api/v1/svc/developers/dashboard/mfa/totp/confirm", {
  config: { auth: "dashboard" },
  schema: {
    operationId: "confirmTotp",
    summary: "Enable the second factor",
    description:
      "Enables the second factor with the first code from the authenticator app. Returns ten recovery codes, which are not shown again. Existing sessions continue. Requires a login within the last 15 minutes, or the field `password`. Without one of these, the call fails with `reauthentication_required`. Fails with `conflict` if no secret is waiting for confirmation, and with `validation_error` for a wrong code.",
    body: TotpConfirmRequest,
    response: { 200: RecoveryCodesResource, 409: Problem },
  },
  handler: async (app, request, reply) => {
    const actor = actorOf(request, principalOf(request));
    const { code } = request.body;
    const proof = loginProofOf(request, request.body);
    return replyOnce(
      app,
      request,
      reply,
      {
        status: 200,
        secret: true,
        present: presentRecoveryCodes,
      },
      (saveResponse) => confirmTotp(app, { actor, code, proof }, saveResponse),
    );
  },
});
