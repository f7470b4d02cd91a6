import { randomBytes } from "node:crypto";
import type { VendorContext, VendorRequest } from "../kit/vendor-simulator.ts";
import { hashOf } from "../oauth/codes.ts";
import { expiryIn, isExpired } from "../oauth/expiry.ts";
import type { Person } from "../oauth/people.ts";

export const ACCESS_TOKEN_LIFETIME_SECONDS = 3_599;

interface StoredToken {
  readonly person: Person;
  /** RFC 3339 timestamp. */
  readonly expiresAt: string;
}

/** Issues an access token for the user's profile. It expires after one hour. */
export async function issueAccessToken(context: VendorContext, person: Person): Promise<string> {
  const token = `ya29.${randomBytes(32).toString("base64url")}`;
  const expiresAt = expiryIn(context, ACCESS_TOKEN_LIFETIME_SECONDS * 1_000);
  const data: StoredToken = { person, expiresAt };
  await context.objects.insert({ type: "access_token", id: hashOf(token), state: "active", data });
  return token;
}

/** Returns the access token's user, or undefined if the token is unknown or expired. */
export async function findPersonByToken(
  { headers }: VendorRequest,
  context: VendorContext,
): Promise<Person | undefined> {
  const token = /^Bearer (ya29\.[\w-]+)$/i.exec(headers.authorization ?? "")?.[1];
  if (token === undefined) return undefined;
  const found = await context.objects.find<StoredToken>("access_token", hashOf(token));
  return found === undefined || isExpired(found.data, context) ? undefined : found.data.person;
}
