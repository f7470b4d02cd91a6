import { type Static, Type } from "typebox";
import type { VendorContext, VendorResponse, VendorRoute } from "../kit/vendor-simulator.ts";
import { hasClientCredentials } from "../oauth/client-credentials.ts";
import { redeemCode } from "../oauth/codes.ts";
import type { OAuthApp } from "../oauth/oauth-app.ts";
import type { Person } from "../oauth/people.ts";
import { ACCESS_TOKEN_LIFETIME_SECONDS, issueAccessToken } from "./access-tokens.ts";
import { googleError } from "./google-errors.ts";
import { type IdTokenFlaw, issueIdToken } from "./id-tokens.ts";

/** The data stored with an authorization code: the user and the properties of the ID token. */
export interface Grant {
  readonly person: Person;
  /** Undefined if the app did not send a nonce. */
  readonly nonce?: string;
  readonly flaw?: IdTokenFlaw;
}

const SCOPE = "openid https://www.googleapis.com/auth/userinfo.email https://www.googleapis.com/auth/userinfo.profile";

const Text = Type.String({ minLength: 1, maxLength: 2_048 });
const TokenBody = Type.Object(
  {
    grant_type: Text,
    code: Text,
    redirect_uri: Text,
    code_verifier: Type.Optional(Text),
    client_id: Type.Optional(Text),
    client_secret: Type.Optional(Text),
  },
  { additionalProperties: false },
);

const CODE_PROBLEMS = {
  code: googleError(400, "invalid_grant", "Malformed auth code."),
  code_verifier: googleError(400, "invalid_grant", "Invalid code verifier."),
  redirect_uri: googleError(400, "redirect_uri_mismatch", "Bad Request"),
} as const;

/** Exchanges an authorization code for an ID token and an access token. */
export function tokenRoute(app: OAuthApp): VendorRoute {
  return {
    operation: "token",
    method: "POST",
    url: "/token",
    bodies: "form",
    body: TokenBody,
    auth: async (request) => (hasClientCredentials(app, request) ? app.clientId : undefined),
    handle: async ({ body }, context) => {
      const form = body as Static<typeof TokenBody>;
      return form.grant_type === "authorization_code"
        ? exchangeCode(form, app.clientId, context)
        : googleError(400, "unsupported_grant_type", `Invalid grant_type: ${form.grant_type}`);
    },
  };
}

async function exchangeCode(
  form: Static<typeof TokenBody>,
  clientId: string,
  context: VendorContext,
): Promise<VendorResponse> {
  const redeemed = await redeemCode<Grant>(context, {
    code: form.code,
    codeVerifier: form.code_verifier,
    redirectUri: form.redirect_uri,
    clientId,
  });
  if ("invalid" in redeemed) return CODE_PROBLEMS[redeemed.invalid];
  return {
    status: 200,
    body: {
      access_token: await issueAccessToken(context, redeemed.grant.person),
      expires_in: ACCESS_TOKEN_LIFETIME_SECONDS,
      scope: SCOPE,
      token_type: "Bearer",
      id_token: await issueIdToken(context, { clientId, ...redeemed.grant }),
    },
  };
}
