import { type Static, Type } from "typebox";
import { Parse } from "typebox/value";
import type { TenantVault, VaultContext } from "../../../vault/open-vault.ts";

const DevicePair = Type.Object({ apiKey: Type.String(), apiSecret: Type.String() });
/** An API key and its secret, stored encrypted until the device collects them. */
export type DevicePair = Static<typeof DevicePair>;

export function devicePairContext(deviceCodeHash: string): VaultContext {
  return { kind: "device_authorization", subject: deviceCodeHash, field: "pair", version: 1 };
}

export function sealPair(vault: TenantVault, deviceCodeHash: string, pair: DevicePair): Buffer {
  const { apiKey, apiSecret } = pair;
  return vault.seal(devicePairContext(deviceCodeHash), JSON.stringify({ apiKey, apiSecret }));
}

export function openPair(vault: TenantVault, deviceCodeHash: string, sealed: Buffer): DevicePair {
  const text = vault.open(devicePairContext(deviceCodeHash), sealed).toString("utf8");
  return Parse(DevicePair, JSON.parse(text));
}
