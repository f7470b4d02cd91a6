import { type Static, type TSchema, Type } from "typebox";
import { VendorError, type VendorFailure } from "../../ports/vendor-error.ts";
import type { VendorCall, VendorClient } from "../http-client/vendor-client.ts";

// Ids are validated because they are used as path segments and stored in the database.
export const NEON_ID = Type.String({ pattern: "^[a-z0-9-]{1,60}$" });

/** Calls Neon's API with an access token. */
export type Neon = <Schema extends TSchema>(
  call: Omit<VendorCall<Schema>, "headers">,
) => Promise<Static<Schema>>;

export function neonOf(client: VendorClient, accessToken: string): Neon {
  return (call) => client.call({ ...call, headers: { authorization: `Bearer ${accessToken}` } });
}

export function neonError(
  failure: VendorFailure,
  operation: string,
  vendorMessage: string,
): VendorError {
  return new VendorError(failure, { vendor: "neon", operation, vendorMessage });
}
