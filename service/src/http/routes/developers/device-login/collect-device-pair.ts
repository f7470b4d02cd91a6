import { Type } from "typebox";
import { oauthProblem } from "../../../../foundation/wire/problem.ts";
import { collectDevicePair } from "../../../../modules/developers/device-login/collect-device-pair.ts";
import {
  DeviceTokenResource,
  presentDeviceToken,
} from "../../../../modules/developers/device-login/device-login-resources.ts";
import { endpoint } from "../../../route.ts";
import { clientInfoOf } from "../client-info.ts";
import { IGNORES_UNKNOWN } from "./ignores-unknown.ts";

const DeviceTokenRequest = Type.Object(
  {
    grant_type: Type.Literal("urn:ietf:params:oauth:grant-type:device_code"),
    device_code: Type.String({
      minLength: 1,
      maxLength: 512,
      description: "The `device_code` from `POST /developers/oauth/device`.",
    }),
    client_id: Type.Optional(
      Type.String({
        maxLength: 200,
        description: "Ignored. Accepted because OAuth clients send it.",
      }),
    ),
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

export const collectDevicePairRoute = endpoint("POST /api/v1/svc/developers/oauth/device/token", {
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
    const { device_code } = request.body;
    const collected = await collectDevicePair(app, {
      deviceCode: device_code,
      client: clientInfoOf(request),
    });
    return presentDeviceToken(collected, app.clock.now());
  },
});
