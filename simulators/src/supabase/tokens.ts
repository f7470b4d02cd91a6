import { createHash, randomBytes } from "node:crypto";
import type { VendorContext } from "../kit/vendor-simulator.ts";

const CODE_LIFETIME_MS = 5 * 60_000;
const ACCESS_TOKEN_LIFETIME_SECONDS = 3_600;

/** What a person agreed to: this code is for this app, this address and whoever holds the verifier. */
export interface Consent {
  readonly account: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
}

interface Expiring {
  /** RFC 3339. */
  readonly expiresAt: string;
}

interface Grant {
  readonly account: string;
  readonly clientId: string;
}

// Codes and tokens are kept as hashes, under which they are found: the control page shows ids.
function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

function isOver({ expiresAt }: Expiring, context: VendorContext): boolean {
  return Date.parse(expiresAt) <= context.now().getTime();
}

function inMs(context: VendorContext, milliseconds: number): string {
  return new Date(context.now().getTime() + milliseconds).toISOString();
}

/** A code that is good for five minutes, once. */
export async function issueCode(context: VendorContext, consent: Consent): Promise<string> {
  const code = randomBytes(24).toString("hex");
  await context.objects.insert({
    type: "authorization_code",
    id: hashOf(code),
    state: "issued",
    data: { ...consent, expiresAt: inMs(context, CODE_LIFETIME_MS) },
  });
  return code;
}

/**
 * The account that agreed, or undefined where the code is not good, or not good for this. Whatever comes of it, a code that
 * was presented is spent.
 */
export async function redeemCode(
  context: VendorContext,
  presented: {
    readonly code: string;
    readonly codeVerifier: string;
    readonly redirectUri: string;
    readonly clientId: string;
  },
): Promise<string | undefined> {
  const id = hashOf(presented.code);
  const found = await context.objects.find<Consent & Expiring>("authorization_code", id);
  const isFirst = await context.objects.claim("authorization_code", id, "issued", "redeemed");
  if (found === undefined || !isFirst || isOver(found.data, context)) return undefined;
  const { account, clientId, redirectUri, codeChallenge } = found.data;
  const isMeant =
    clientId === presented.clientId &&
    redirectUri === presented.redirectUri &&
    codeChallenge === createHash("sha256").update(presented.codeVerifier).digest("base64url");
  return isMeant ? account : undefined;
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
    data: { account, expiresAt: inMs(context, ACCESS_TOKEN_LIFETIME_SECONDS * 1_000) },
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
  const found = await context.objects.find<Pick<Grant, "account"> & Expiring>(
    "access_token",
    hashOf(token),
  );
  return found === undefined || isOver(found.data, context) ? undefined : found.data.account;
}
