import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { credentialErrors, Problem } from "../../../../foundation/wire/problem.ts";
import {
  approveDeviceLogin,
  type DecidedDeviceLogin,
  DeviceLoginResource,
  denyDeviceLogin,
  presentDeviceLogin,
} from "../../../../modules/developers/index.ts";
import { actorOf } from "../../../auth/principal.ts";
import { replyOnce } from "../../../idempotency.ts";
import { principalOf, type Server } from "../../../route.ts";
import { namedModeOrLive } from "../keys/key-modes.ts";
import { LOGIN_PROOF, loginProofOf } from "../login-proof.ts";

const UserCodeIn = Type.String({
  minLength: 1,
  maxLength: 50,
  description: "The code that the device shows, in capital or small letters.",
  examples: ["BCDF-GHJK"],
});

const DeviceApprovalRequest = Type.Object(
  {
    user_code: UserCodeIn,
    approve: Type.Optional(
      Type.Boolean({ default: true, description: "False denies the device." }),
    ),
    ...LOGIN_PROOF,
  },
  { $id: "DeviceApprovalRequest", additionalProperties: false },
);

export function decideDeviceLoginRoute(server: Server, app: App): void {
  server.route({
    method: "POST",
    url: "/api/v1/svc/developers/oauth/device/approve",
    config: { auth: "dashboard" },
    schema: {
      operationId: "decideDeviceLogin",
      tags: ["Device login"],
      summary: "Approve or deny a device",
      description:
        "Approving issues a key pair of the mode in `X-Svc-Mode`, `live` without the header. Only the device can collect the pair. Approving requires a login within the last 15 minutes, or `password` or `totp_code`; otherwise fails with `reauthentication_required`. An unknown, decided or expired code is `validation_error`. After five wrong codes within 15 minutes: `rate_limited`.",
      body: DeviceApprovalRequest,
      response: {
        200: DeviceLoginResource,
        409: Problem,
        ...credentialErrors,
      },
    },
    handler: async (request, reply) => {
      const mode = namedModeOrLive(request);
      const actor = { ...actorOf(request, principalOf(request)), mode };
      const { user_code: userCode, approve = true } = request.body;
      const proof = loginProofOf(request, request.body);
      const decide = approve ? approveDeviceLogin : denyDeviceLogin;
      const now = app.clock.now();
      return replyOnce(
        app,
        request,
        reply,
        { status: 200, present: (decided: DecidedDeviceLogin) => presentDeviceLogin(decided, now) },
        (saveResponse) => decide(app, { actor, userCode, proof }, saveResponse),
      );
    },
  });
}
