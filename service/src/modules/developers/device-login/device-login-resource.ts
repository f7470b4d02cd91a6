import { type Static, Type } from "typebox";
import { Nullable } from "../../../foundation/wire/fields.ts";
import { ApiKeyResource, presentApiKey } from "../keys/api-key-resource.ts";
import type { DecidedDeviceLogin } from "./approve-device-login.ts";

/** A device login that the account owner has approved or denied (docs/api.md, section 16.2). */
export const DeviceLoginResource = Type.Object(
  {
    object: Type.Literal("device_login"),
    status: Type.Enum(["approved", "denied"]),
    client_name: Type.String({ description: "The name of the device." }),
    key: {
      ...Nullable(ApiKeyResource),
      description: "The API key that was created for the device. Null if the device was denied.",
    },
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
