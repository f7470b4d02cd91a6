import { randomBytes } from "node:crypto";
import type { VendorContext } from "../kit/vendor-simulator.ts";
import { hashOf } from "./codes.ts";
import { expiryIn, isExpired } from "./expiry.ts";

const ACCESS_TOKEN_LIFETIME_SECONDS = 3_600;

interface Grant {
  readonly account: string;
  readonly clientId: string;
}

/**
 * Returns a token endpoint response: an access token that starts with `prefix` and is valid for one hour, and a refresh
 * token that can be used once.
 */
export async function issueTokens(context: VendorContext, grant: Grant, prefix: string): Promise<object> {
  const accessToken = `${prefix}${randomBytes(20).toString("hex")}`;
  const refreshToken = randomBytes(24).toString("hex");
  const { account, clientId } = grant;
  await context.objects.insert({
    type: "access_token",
    id: hashOf(accessToken),
    state: "active",
    data: {
      account,
      clientId,
      expiresAt: expiryIn(context, ACCESS_TOKEN_LIFETIME_SECONDS * 1_000),
    },
  });
  await context.objects.insert({
    type: "refresh_token",
    id: hashOf(refreshToken),
    state: "active",
    data: { account, clientId },
  });
  return {
    access_token: accessToken,
    refresh_token: refreshToken,
    expires_in: ACCESS_TOKEN_LIFETIME_SECONDS,
    token_type: "Bearer",
  };
}

/** Redeems a refresh token and returns its account, or undefined if the token is unknown, used or another app's. */
export async function redeemRefreshToken(
  context: VendorContext,
  presented: { readonly refreshToken: string; readonly clientId: string },
): Promise<string | undefined> {
  const id = hashOf(presented.refreshToken);
  const found = await context.objects.find<Grant>("refresh_token", id);
  if (found?.data.clientId !== presented.clientId) return undefined;
  const isFirst = await context.objects.claim("refresh_token", id, "active", "spent");
  return isFirst ? found.data.account : undefined;
}

/**
 * Removes all tokens of the refresh token's account and app. Returns false if the token is unknown, used or another app's.
 */
export async function revokeAuthorization(
  { objects }: VendorContext,
  presented: { readonly refreshToken: string; readonly clientId: string },
): Promise<boolean> {
  const found = await objects.find<Grant>("refresh_token", hashOf(presented.refreshToken));
  if (found?.state !== "active" || found.data.clientId !== presented.clientId) return false;
  const { account, clientId } = found.data;
  for (const type of ["access_token", "refresh_token"]) {
    for (const { id, data } of await objects.list<Grant>(type)) {
      if (data.account === account && data.clientId === clientId) await objects.remove(type, id);
    }
  }
  return true;
}

/** Returns an access token's account, or undefined if the token is unknown or expired. */
export async function findAccountByAccessToken(context: VendorContext, token: string): Promise<string | undefined> {
  const found = await context.objects.find<Pick<Grant, "account"> & { readonly expiresAt: string }>(
    "access_token",
    hashOf(token),
  );
  return found === undefined || isExpired(found.data, context) ? undefined : found.data.account;
}
