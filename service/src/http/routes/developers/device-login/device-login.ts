import { Type } from "typebox";
import { invalidField } from "../../../../foundation/errors.ts";
import { SCOPES, type Scope } from "../../../../foundation/vocabulary.ts";
import { Flag, Text } from "../../../../foundation/wire/fields.ts";
import { oauthProblem } from "../../../../foundation/wire/problem.ts";
import { toWire } from "../../../../foundation/wire/to-wire.ts";
import {
  approveDeviceLogin,
  type DecidedDeviceLogin,
  denyDeviceLogin,
  requirePendingDevice,
} from "../../../../modules/developers/device-login/decide-device-login.ts";
import { collectDevicePair, startDeviceLogin } from "../../../../modules/developers/device-login/device-login.ts";
import {
  DeviceAuthorizationResource,
  DeviceLoginResource,
  DeviceTokenResource,
  PendingDeviceLoginResource,
  presentDeviceAuthorization,
  presentDeviceLogin,
} from "../../../../modules/developers/device-login/device-login-resources.ts";
import { presentApiKey, presentPair } from "../../../../modules/developers/keys/api-key-resource.ts";
import { actorOf, principalOf } from "../../../auth/principal.ts";
import { replyOnce } from "../../../idempotency.ts";
import { endpoint, type Route } from "../../../route.ts";
import { clientInfoOf } from "../client-info.ts";
import { LOGIN_PROOF, loginProofOf, WordsIn } from "../fields.ts";
import { requestedModeOrLive } from "../keys/new-key-fields.ts";

/** An OAuth server must ignore parameters that it does not know (RFC 6749, section 3.2). */
const IGNORES_UNKNOWN = {
  additionalProperties: true,
  description: "Unknown parameters are ignored, as in OAuth 2.0 (RFC 6749, section 3.2).",
} as const;

const NAME_LENGTH_MAX = 100;

const DeviceAuthorizationRequest = Type.Object(
  {
    client_name: Type.Optional({
      ...WordsIn(NAME_LENGTH_MAX),
      description:
        "The name of the device, on one line. The API key of the device gets this name. Default: the first 100 characters of the value of `client_id`, or `A device` if `client_id` is absent.",
    }),
    client_id: Type.Optional({
      ...WordsIn(200),
      description:
        "The OAuth client id, on one line. Choose any text: clients are not registered. Used as the device's name if `client_name` is absent.",
    }),
    scope: Type.Optional(
      Text(
        "The scopes of the device's API key, separated by spaces. Default: all scopes except `approvals:write`. In test mode, the default does not include `audit:read` either.",
        { maxLength: 1_000 },
      ),
    ),
  },
  { $id: "DeviceAuthorizationRequest", ...IGNORES_UNKNOWN },
);

const startDeviceLoginRoute = endpoint("POST /api/v1/svc/developers/oauth/device", {
  operationId: "beginDeviceLogin",
  sdk: "developers.devices.begin",
  summary: "Start a device login",
  description:
    "Starts a login for a program without a browser (RFC 8628). Show `user_code` and `verification_uri` to the user, then poll `POST /developers/oauth/device/token`. The codes expire after ten minutes. Fails with `rate_limited` after ten calls per minute from one network.",
  auth: "public",
  ignoresUnknownQuery: true,
  bodyFormat: "form_or_json",
  body: DeviceAuthorizationRequest,
  answers: { 200: DeviceAuthorizationResource },
  errors: ["rate_limited"],
  run: async (app, request) => {
    const { client_name, client_id, scope = "" } = request.body;
    const login = await startDeviceLogin(app, {
      clientName: client_name ?? client_id?.slice(0, NAME_LENGTH_MAX) ?? "A device",
      scopes: parseScopes(scope),
      client: clientInfoOf(request),
    });
    return presentDeviceAuthorization(login, `${app.settings.publicUrl}/device`);
  },
});

function parseScopes(text: string): readonly Scope[] {
  const names = new Set(text.split(" ").filter((name) => name !== ""));
  const scopes = SCOPES.filter((scope) => names.has(scope));
  if (scopes.length === names.size) return scopes;
  throw invalidField(
    "/body/scope",
    "enum",
    `must contain only these scopes, separated by spaces: ${SCOPES.join(", ")}`,
  );
}

const UserCodeIn = Type.String({
  minLength: 1,
  maxLength: 50,
  description: "The code shown on the device, in uppercase or lowercase.",
  examples: ["BCDF-GHJK"],
});

const getPendingDeviceRoute = endpoint("GET /api/v1/svc/developers/dashboard/device", {
  operationId: "getPendingDevice",
  sdk: "developers.devices.get",
  summary: "Get a waiting device",
  description:
    "Returns the device login that waits with this code, to decide with `POST /developers/oauth/device/approve`. Fails with `validation_error` if `user_code` is unknown, expired, or already approved or denied, and with `rate_limited` after five wrong codes within 15 minutes, counted together with those of that call.",
  auth: "dashboard",
  query: Type.Object({ user_code: UserCodeIn }, { additionalProperties: false }),
  answers: { 200: PendingDeviceLoginResource },
  errors: ["validation_error", "rate_limited"],
  run: async (app, request) => {
    const { tenantId } = principalOf(request);
    const { user_code: userCode } = request.query;
    const login = await requirePendingDevice(app, { tenantId, userCode, pointer: "/query/user_code" });
    return toWire(PendingDeviceLoginResource, login, { status: "pending" });
  },
});

const DeviceApprovalRequest = Type.Object(
  {
    user_code: UserCodeIn,
    approve: Type.Optional(Flag("Whether to approve (`true`) or deny (`false`) the device. Default: true.")),
    ...LOGIN_PROOF,
  },
  { $id: "DeviceApprovalRequest", ...IGNORES_UNKNOWN },
);

const decideDeviceLoginRoute = endpoint("POST /api/v1/svc/developers/oauth/device/approve", {
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

const DeviceTokenRequest = Type.Object(
  {
    grant_type: Type.Literal("urn:ietf:params:oauth:grant-type:device_code"),
    device_code: Text("The `device_code` from `POST /developers/oauth/device`.", { minLength: 1, maxLength: 512 }),
    client_id: Type.Optional(Text("Ignored. Accepted because OAuth clients send it.", { maxLength: 200 })),
  },
  { $id: "DeviceTokenRequest", ...IGNORES_UNKNOWN },
);

const DevicePairProblem = oauthProblem([
  "authorization_pending",
  "slow_down",
  "access_denied",
  "expired_token",
  "invalid_grant",
]);

const collectDevicePairRoute = endpoint("POST /api/v1/svc/developers/oauth/device/token", {
  operationId: "collectDevicePair",
  sdk: "developers.devices.collect",
  summary: "Get a device's key pair",
  description:
    "Returns the key pair of an approved device. The key pair is returned only once. If it cannot be returned, the response is 400 with an RFC 8628 error code in `code` and `error`. `authorization_pending`: no decision yet. `slow_down`: the device polls too often, and the interval is now five seconds longer. `access_denied`: the device was denied. `expired_token`: the code expired after ten minutes. `invalid_grant`: the code is unknown or already used.",
  auth: "public",
  ignoresUnknownQuery: true,
  bodyFormat: "form_or_json",
  body: DeviceTokenRequest,
  answers: {
    200: DeviceTokenResource,
    400: {
      ...DevicePairProblem,
      description: "The key pair cannot be returned, for the reason in `error`, or the request is not valid HTTP.",
    },
  },
  errors: ["authorization_pending", "slow_down", "access_denied", "expired_token", "invalid_grant"],
  run: async (app, request) => {
    const { key, ...pair } = await collectDevicePair(app, {
      deviceCode: request.body.device_code,
      client: clientInfoOf(request),
    });
    return { developer_id: key.tenantId, ...presentPair(pair), key: presentApiKey(key, app.clock.now()) };
  },
});

export const deviceLoginRoutes: readonly Route[] = [
  startDeviceLoginRoute,
  collectDevicePairRoute,
  getPendingDeviceRoute,
  decideDeviceLoginRoute,
];
