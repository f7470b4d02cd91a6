import { randomBytes } from "node:crypto";
import type { VendorContext } from "../kit/vendor-simulator.ts";
import { hashOf } from "../oauth/codes.ts";
import { expiryIn, isOver } from "../oauth/expiry.ts";

const ACCESS_TOKEN_LIFETIME_SECONDS = 3_600;

interface Grant {
  readonly account: string;
  readonly clientId: string;
}

/** The token endpoint's answer: an access token for an hour, and a refresh token for one use. */
export async function issueTokens(context: VendorContext, grant: Grant): Promise<object> {
  const accessToken = `sbp_oauth_${randomBytes(20).toString("hex")}`;
  const refreshToken = randomBytes(24).toString("hex");
  const { account, clientId } = grant;
  await context.objects.insert({
    type: "access_token",
    id: hashOf(accessToken),
    state: "active",
    data: { account, expiresAt: expiryIn(context, ACCESS_TOKEN_LIFETIME_SECONDS * 1_000) },
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

/** The account that the refresh token stands for, for the one who presents it first; undefined for everybody else. */
export async function spendRefreshToken(
  context: VendorContext,
  presented: { readonly refreshToken: string; readonly clientId: string },
): Promise<string | undefined> {
  const id = hashOf(presented.refreshToken);
  const found = await context.objects.find<Grant>("refresh_token", id);
  if (found?.data.clientId !== presented.clientId) return undefined;
  const isFirst = await context.objects.claim("refresh_token", id, "active", "spent");
  return isFirst ? found.data.account : undefined;
}

/** The account that an access token was given for, while the token lasts. */
export async function accountOfAccessToken(
  context: VendorContext,
  token: string,
): Promise<string | undefined> {
  const found = await context.objects.find<Pick<Grant, "account"> & { readonly expiresAt: string }>(
    "access_token",
    hashOf(token),
  );
  return found === undefined || isOver(found.data, context) ? undefined : found.data.account;
}
