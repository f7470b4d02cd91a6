import type { Static, TSchema } from "typebox";
import type { VendorCall, VendorClient } from "../http-client/vendor-client.ts";

/** Calls Neon's API with an access token. */
export type Neon = <Schema extends TSchema>(call: Omit<VendorCall<Schema>, "headers">) => Promise<Static<Schema>>;

export function neonOf(client: VendorClient, accessToken: string): Neon {
  return (call) => client.call({ ...call, headers: { authorization: `Bearer ${accessToken}` } });
}
