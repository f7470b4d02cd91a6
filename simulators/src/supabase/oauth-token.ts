import { type Static, Type } from "typebox";
import type { VendorContext, VendorRequest, VendorRoute } from "../kit/vendor-simulator.ts";
import { hasClientCredentials } from "../oauth/client-credentials.ts";
import { redeemCode } from "../oauth/codes.ts";
import type { OAuthApp } from "../oauth/oauth-app.ts";
import { issueTokens, redeemRefreshToken, revokeAuthorization } from "../oauth/tokens.ts";
import { supabaseError } from "./supabase-errors.ts";

const Text = Type.String({ minLength: 1, maxLength: 2_048 });
const Credentials = { client_id: Type.Optional(Text), client_secret: Type.Optional(Text) };
const TokenBody = Type.Union([
  Type.Object(
    {
      ...Credentials,
      grant_type: Type.Literal("authorization_code"),
      code: Text,
      code_verifier: Type.Optional(Type.String({ pattern: "^[A-Za-z0-9._~-]{43,128}$" })),
      redirect_uri: Text,
    },
    { additionalProperties: false },
  ),
  Type.Object(
    { ...Credentials, grant_type: Type.Literal("refresh_token"), refresh_token: Text },
    { additionalProperties: false },
  ),
]);

/** Exchanges an authorization code or a refresh token for new tokens. */
export function tokenRoute(app: OAuthApp): VendorRoute {
  return {
    operation: "v1-exchange-oauth-token",
    method: "POST",
    url: "/v1/oauth/token",
    bodies: "form",
    body: TokenBody,
    auth: async (request) => (hasClientCredentials(app, request) ? app.clientId : undefined),
    handle: async (request, context) => {
      const { clientId } = app;
      const account = await redeemGrant(request, context, clientId);
      if (account === undefined) return supabaseError(400, "The grant is invalid or expired");
      return { status: 201, body: await issueTokens(context, { account, clientId }, "sbp_oauth_") };
    },
  };
}

const RevokeBody = Type.Object(
  { client_id: Type.String({ format: "uuid" }), client_secret: Text, refresh_token: Text },
  { additionalProperties: false },
);

/** Ends the app's authorization for the refresh token's organization, with all of its tokens. */
export function revokeRoute(app: OAuthApp): VendorRoute {
  return {
    operation: "v1-revoke-token",
    method: "POST",
    url: "/v1/oauth/revoke",
    body: RevokeBody,
    auth: async ({ body }) => (hasClientCredentials(app, { headers: {}, body }) ? app.clientId : undefined),
    handle: async ({ body }, context) => {
      const { refresh_token: refreshToken } = body as Static<typeof RevokeBody>;
      const { clientId } = app;
      return (await revokeAuthorization(context, { refreshToken, clientId }))
        ? { status: 204 }
        : supabaseError(400, "The refresh token is invalid or expired");
    },
  };
}

async function redeemGrant(
  request: VendorRequest,
  context: VendorContext,
  clientId: string,
): Promise<string | undefined> {
  const form = request.body as Static<typeof TokenBody>;
  if (form.grant_type === "refresh_token") {
    return redeemRefreshToken(context, { refreshToken: form.refresh_token, clientId });
  }
  const { code, code_verifier: codeVerifier, redirect_uri: redirectUri } = form;
  const presented = { code, codeVerifier, redirectUri, clientId };
  const redeemed = await redeemCode<string>(context, presented);
  return "grant" in redeemed ? redeemed.grant : undefined;
}
