import { type Static, Type } from "typebox";
import { SCOPES } from "../../../foundation/vocabulary.ts";
import { Count, ListOf, Nullable, Text, Timestamp } from "../../../foundation/wire/fields.ts";
import { ApiKeyResource, pairFields, presentApiKey } from "../keys/api-key-resource.ts";
import type { DecidedDeviceLogin } from "./decide-device-login.ts";
import type { BegunDeviceLogin } from "./device-login.ts";

/** The device authorization response of RFC 8628, section 3.2. */
export const DeviceAuthorizationResource = Type.Object(
  {
    device_code: Text("The secret code that the device polls with. Do not show it to the user."),
    user_code: Type.String({
      description: "The code that the user enters at `verification_uri`.",
      examples: ["BCDF-GHJK"],
    }),
    verification_uri: Text("The page where the user approves the device."),
    verification_uri_complete: Text("`verification_uri` with `user_code` filled in, for a QR code."),
    expires_in: Count("Lifetime of `device_code` and `user_code` in seconds."),
    interval: Count("Minimum time between two polls, in seconds."),
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

/** A device login that waits for a decision (docs/rules/logins.md). */
export const PendingDeviceLoginResource = Type.Object(
  {
    object: Type.Literal("device_login"),
    status: Type.Literal("pending"),
    client_name: Text("The name of the device, which the device chooses itself."),
    scopes: ListOf(
      Type.Enum([...SCOPES]),
      "The scopes that the device requests. Empty for the default: all scopes except `approvals:write` and, for a test key, `audit:read`.",
    ),
    network: Nullable(
      Type.String(),
      "The network that started the device login: an IPv4 address, or the /64 of an IPv6 address. Null if it is unknown.",
    ),
    user_agent: Nullable(
      Type.String(),
      "The `User-Agent` header of the device, which the device chooses itself. Null if it sent none.",
    ),
    created_at: Timestamp,
    expires_at: Timestamp,
  },
  { $id: "PendingDeviceLogin", description: "A device login that waits to be approved or denied." },
);

/** A device login that the account owner has approved or denied (docs/rules/logins.md). */
export const DeviceLoginResource = Type.Object(
  {
    object: Type.Literal("device_login"),
    status: Type.Enum(["approved", "denied"]),
    client_name: Text("The name of the device."),
    key: Nullable(ApiKeyResource, "The API key that was created for the device. Null if the device was denied."),
  },
  { $id: "DeviceLogin", description: "A device login that was approved or denied." },
);

export function presentDeviceLogin(
  { clientName, key }: DecidedDeviceLogin,
  now: Date,
): Static<typeof DeviceLoginResource> {
  return {
    object: "device_login",
    status: key === null ? "denied" : "approved",
    client_name: clientName,
    key: key && presentApiKey(key, now),
  };
}

/**
 * The key pair (API key and secret) issued to a device. It replaces the access token in the response of RFC 8628,
 * section 3.5.
 */
export const DeviceTokenResource = Type.Object(
  { developer_id: Type.String(), ...pairFields, key: ApiKeyResource },
  { $id: "DeviceToken", description: "The key pair issued to a device. It is shown only once." },
);
