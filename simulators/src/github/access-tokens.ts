import { randomBytes } from "node:crypto";
import type { VendorContext, VendorRequest } from "../kit/vendor-simulator.ts";
import { hashOf } from "../oauth/codes.ts";
import type { Person } from "../oauth/people.ts";

/** Whom a code or a token speaks for, and what it opens. */
export interface Access {
  readonly person: Person;
  readonly scopes: readonly string[];
}

/** A token that is good until it is taken back, as those of GitHub's OAuth apps are. */
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

/** What the bearer token opens; undefined for one that is none. */
export async function authenticate(
  { headers }: VendorRequest,
  context: VendorContext,
): Promise<Access | undefined> {
  const token = /^(?:Bearer|token) (gho_\w+)$/.exec(headers.authorization ?? "")?.[1];
  if (token === undefined) return undefined;
  return (await context.objects.find<Access>("access_token", hashOf(token)))?.data;
}
