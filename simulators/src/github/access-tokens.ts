import { randomBytes } from "node:crypto";
import type { VendorContext, VendorRequest } from "../kit/vendor-simulator.ts";
import { hashOf } from "../oauth/codes.ts";
import type { Person } from "../oauth/people.ts";

/** The user and the scopes of an authorization code or an access token. */
export interface Access {
  readonly person: Person;
  readonly scopes: readonly string[];
}

/** Issues an access token. As with GitHub's OAuth apps, the token does not expire. */
export async function issueAccessToken(context: VendorContext, access: Access): Promise<string> {
  const token = `gho_${randomBytes(18).toString("hex")}`;
  await context.objects.insert({
    type: "access_token",
    id: hashOf(token),
    state: "active",
    data: access,
  });
  return token;
}

/** Returns the bearer token's user and scopes, or undefined if the token is unknown. */
export async function authenticate({ headers }: VendorRequest, context: VendorContext): Promise<Access | undefined> {
  const token = /^(?:Bearer|token) (gho_\w+)$/.exec(headers.authorization ?? "")?.[1];
  if (token === undefined) return undefined;
  return (await context.objects.find<Access>("access_token", hashOf(token)))?.data;
}
