import { randomBytes } from "node:crypto";
import type { VendorContext, VendorRequest } from "../kit/vendor-simulator.ts";
import { hashOf } from "../oauth/codes.ts";
import { expiryIn, isOver } from "../oauth/expiry.ts";
import type { Person } from "../oauth/people.ts";

export const ACCESS_TOKEN_LIFETIME_SECONDS = 3_599;

interface KeptToken {
  readonly person: Person;
  /** RFC 3339. */
  readonly expiresAt: string;
}

/** Issues a token that reads the person's profile for an hour. */
export async function issueAccessToken(context: VendorContext, person: Person): Promise<string> {
  const token = `ya29.${randomBytes(32).toString("base64url")}`;
  const expiresAt = expiryIn(context, ACCESS_TOKEN_LIFETIME_SECONDS * 1_000);
  const data: KeptToken = { person, expiresAt };
  await context.objects.insert({ type: "access_token", id: hashOf(token), state: "active", data });
  return token;
}

/** Whose token it is; undefined for an unknown or expired one. */
export async function personOfToken(
  { headers }: VendorRequest,
  context: VendorContext,
): Promise<Person | undefined> {
  const token = /^Bearer (ya29\.[\w-]+)$/i.exec(headers.authorization ?? "")?.[1];
  if (token === undefined) return undefined;
  const found = await context.objects.find<KeptToken>("access_token", hashOf(token));
  return found === undefined || isOver(found.data, context) ? undefined : found.data.person;
}
