import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { credentialErrors, Problem } from "../../../../foundation/wire/problem.ts";
import {
  confirmTotp,
  presentRecoveryCodes,
  RecoveryCodesResource,
} from "../../../../modules/developers/index.ts";
import { actorOf } from "../../../auth/principal.ts";
import { replyOnce } from "../../../idempotency.ts";
import { principalOf, type Server } from "../../../route.ts";
import { TotpCodeIn } from "../fields.ts";
import { LOGIN_PROOF, loginProofOf } from "../login-proof.ts";

const TotpConfirmRequest = Type.Object(
  { code: TotpCodeIn, ...LOGIN_PROOF },
  { $id: "TotpConfirmRequest", additionalProperties: false },
);

export function confirmTotpRoute(server: Server, app: App): void {
  server.route({
    method: "POST",
    url: "/api/v1/svc/developers/dashboard/mfa/totp/confirm",
    config: { auth: "dashboard" },
    schema: {
      operationId: "confirmTotp",
      tags: ["Developers"],
      summary: "Turn the second factor on, with a first code of the device",
      description:
        "The recovery codes are in this answer and nowhere else; each is good once. Sessions that are there already go on.",
      body: TotpConfirmRequest,
      response: {
        200: RecoveryCodesResource,
        409: Problem,
        ...credentialErrors,
      },
    },
    handler: async (request, reply) => {
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
}
