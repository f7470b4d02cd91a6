import { type Static, Type } from "typebox";
import type { BegunDeviceLogin } from "./start-device-login.ts";

/** The device authorization response of RFC 8628, section 3.2. */
export const DeviceAuthorizationResource = Type.Object(
  {
    device_code: Type.String({
      description: "The secret code that the device polls with. Do not show it to the user.",
    }),
    user_code: Type.String({
      description: "The code that the user enters at `verification_uri`.",
      examples: ["BCDF-GHJK"],
    }),
    verification_uri: Type.String({
      description: "The page where the user approves the device.",
    }),
    verification_uri_complete: Type.String({
      description: "`verification_uri` with `user_code` filled in, for a QR code.",
    }),
    expires_in: Type.Integer({
      description: "Lifetime of `device_code` and `user_code` in seconds.",
    }),
    interval: Type.Integer({ description: "Minimum time between two polls, in seconds." }),
  },
  {
    $id: "DeviceAuthorization",
    description: "A device login in progress (RFC 8628, section 3.2).",
  },
);

/** @param page the URL of the page on which the user enters the user code */
export function presentDeviceAuthorization(
  { deviceCode, userCode, expiresInSeconds, intervalSeconds }: BegunDeviceLogin,
  page: string,
): Static<typeof DeviceAuthorizationResource> {
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${userCode}`,
    expires_in: expiresInSeconds,
    interval: intervalSeconds,
  };
}
