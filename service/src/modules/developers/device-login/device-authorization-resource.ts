import { type Static, Type } from "typebox";
import type { BegunDeviceLogin } from "./begin-device-login.ts";

/** The answer of RFC 8628, section 3.2. */
export const DeviceAuthorizationResource = Type.Object(
  {
    device_code: Type.String(),
    user_code: Type.String({ examples: ["BCDF-GHJK"] }),
    verification_uri: Type.String(),
    verification_uri_complete: Type.String(),
    expires_in: Type.Integer({ description: "Seconds." }),
    interval: Type.Integer({ description: "The least time between two polls, in seconds." }),
  },
  { $id: "DeviceAuthorization" },
);

/** @param page the URL of the page that takes the user code */
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
