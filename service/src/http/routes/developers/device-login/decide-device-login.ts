import { Type } from "typebox";
import {
  approveDeviceLogin,
  type DecidedDeviceLogin,
  denyDeviceLogin,
} from "../../../../modules/developers/device-login/decide-device-login.ts";
import {
  DeviceLoginResource,
  presentDeviceLogin,
} from "../../../../modules/developers/device-login/device-login-resources.ts";
import { actorOf } from "../../../auth/principal.ts";
import { replyOnce } from "../../../idempotency.ts";
import { endpoint } from "../../../route.ts";
import { requestedModeOrLive } from "../keys/key-modes.ts";
import { LOGIN_PROOF, loginProofOf } from "../login-proof.ts";
import { IGNORES_UNKNOWN } from "./ignores-unknown.ts";

const UserCodeIn = Type.String({
  minLength: 1,
  maxLength: 50,
  description: "The code shown on the device, in uppercase or lowercase.",
  examples: ["BCDF-GHJK"],
});

const DeviceApprovalRequest = Type.Object(
  {
    user_code: UserCodeIn,
    approve: Type.Optional(
      Type.Boolean({
        description: "Whether to approve (`true`) or deny (`false`) the device. Default: true.",
      }),
    ),
    ...LOGIN_PROOF,
  },
  { $id: "DeviceApprovalRequest", ...IGNORES_UNKNOWN },
);

export const decideDeviceLoginRoute = endpoint("POST /api/v1/svc/developers/oauth/device/approve", {
  operationId: "decideDeviceLogin",
  sdk: "developers.devices.decide",
  summary: "Approve or deny a device",
  description:
    "Approves or denies a device. Approving creates a key pair in the mode of `X-Svc-Mode` (default: `live`), which only the device can fetch. Approving requires a login within the last 15 minutes, or the field `password` or `totp_code`. Without one of these, the call fails with `reauthentication_required`. Fails with `validation_error` if `user_code` is unknown, expired, or already approved or denied, and with `rate_limited` after five wrong codes within 15 minutes.",
  auth: "dashboard",
  ignoresUnknownQuery: true,
  body: DeviceApprovalRequest,
  answers: { 200: DeviceLoginResource },
  errors: ["conflict", "reauthentication_required", "validation_error", "rate_limited"],
  run: async (app, request, reply) => {
    const mode = requestedModeOrLive(request);
    const actor = { ...actorOf(request), mode };
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
