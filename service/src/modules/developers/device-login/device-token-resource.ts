import { type Static, Type } from "typebox";
import { ApiKeyResource, pairFields, presentApiKey, presentPair } from "../keys/api-key-resource.ts";
import type { CollectedPair } from "./collect-device-pair.ts";

/**
 * The key pair (API key and secret) issued to a device. It replaces the access token in the response of RFC 8628,
 * section 3.5.
 */
export const DeviceTokenResource = Type.Object(
  { developer_id: Type.String(), ...pairFields, key: ApiKeyResource },
  { $id: "DeviceToken", description: "The key pair issued to a device. It is shown only once." },
);

export function presentDeviceToken({ key, ...pair }: CollectedPair, now: Date): Static<typeof DeviceTokenResource> {
  return { developer_id: key.tenantId, ...presentPair(pair), key: presentApiKey(key, now) };
}
