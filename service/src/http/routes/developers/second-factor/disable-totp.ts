import { Type } from "typebox";
import { Problem } from "../../../../foundation/wire/problem.ts";
import { disableTotp } from "../../../../modules/developers/second-factor/totp-setup.ts";
import { actorOf } from "../../../auth/principal.ts";
import { replyOnce } from "../../../idempotency.ts";
import { endpoint, principalOf } from "../../../route.ts";
import { SecondFactorCodeIn } from "../fields.ts";

const TotpDisableRequest = Type.Object(
  { code: SecondFactorCodeIn },
  { $id: "TotpDisableRequest", additionalProperties: false },
);

export const disableTotpRoute = endpoint("POST /api/v1/svc/developers/dashboard/mfa/totp/disable", {
  config: { auth: "dashboard" },
  schema: {
    operationId: "disableTotp",
    summary: "Disable the second factor",
    description:
      "Disables the second factor and deletes its secret and recovery codes. Requires a code from the authenticator app or a recovery code. Fails with `conflict` if the account has no second factor, with `validation_error` for a wrong code, and with `rate_limited` after 20 TOTP codes within one hour.",
    body: TotpDisableRequest,
    response: { 204: Type.Null(), 409: Problem },
  },
  handler: async (app, request, reply) => {
    const actor = actorOf(request, principalOf(request));
    const { code } = request.body;
    return replyOnce(app, request, reply, { status: 204, present: () => null }, (saveResponse) =>
      disableTotp(app, { actor, code }, saveResponse),
    );
  },
});
