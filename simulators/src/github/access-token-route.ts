import { type Static, Type } from "typebox";
import type { VendorContext, VendorRequest, VendorResponse, VendorRoute } from "../kit/vendor-simulator.ts";
import { hasClientCredentials } from "../oauth/client-credentials.ts";
import { redeemCode } from "../oauth/codes.ts";
import type { OAuthApp } from "../oauth/oauth-app.ts";
import { type Access, issueAccessToken } from "./access-tokens.ts";
import { tokenProblem } from "./github-errors.ts";

const Text = Type.String({ minLength: 1, maxLength: 2_048 });
const TokenBody = Type.Object(
  {
    client_id: Type.Optional(Text),
    client_secret: Type.Optional(Text),
    grant_type: Type.Optional(Text),
    code: Text,
    redirect_uri: Type.Optional(Text),
    code_verifier: Type.Optional(Type.String({ pattern: "^[A-Za-z0-9._~-]{43,128}$" })),
  },
  { additionalProperties: false },
);

const TOKEN_PROBLEMS = {
  code: "bad_verification_code",
  code_verifier: "bad_verification_code",
  redirect_uri: "redirect_uri_mismatch",
} as const;

/**
 * Exchanges an authorization code for an access token. The response is form-encoded unless `Accept` contains
 * application/json.
 */
export function accessTokenRoute(app: OAuthApp): VendorRoute {
  return {
    operation: "githubAccessToken",
    method: "POST",
    url: "/login/oauth/access_token",
    bodies: "json or form",
    body: TokenBody,
    // `auth` accepts every request, and `handle` checks the app's credentials. If `auth` rejected a request, the
    // response would be a 401. GitHub responds to wrong credentials with 200 and an error in the body.
    auth: async () => "anyone",
    handle: async (request, context) => {
      const response = await exchangeCode(app, request, context);
      return /\bapplication\/json\b/.test(request.headers.accept ?? "") ? response : toForm(response);
    },
  };
}

function toForm({ status, body }: VendorResponse): VendorResponse {
  return {
    status,
    headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
    body: new URLSearchParams(Object.entries(Object(body))).toString(),
  };
}

async function exchangeCode(app: OAuthApp, request: VendorRequest, context: VendorContext): Promise<VendorResponse> {
  if (!hasClientCredentials(app, request)) return tokenProblem("incorrect_client_credentials");
  const form = request.body as Static<typeof TokenBody>;
  const { grant_type = "authorization_code" } = form;
  if (grant_type !== "authorization_code") return tokenProblem("unsupported_grant_type");
  const redeemed = await redeemCode<Access>(context, {
    code: form.code,
    codeVerifier: form.code_verifier,
    redirectUri: form.redirect_uri,
    clientId: app.clientId,
  });
  if ("invalid" in redeemed) return tokenProblem(TOKEN_PROBLEMS[redeemed.invalid]);
  const { grant } = redeemed;
  const access_token = await issueAccessToken(context, grant);
  return {
    status: 200,
    body: { access_token, token_type: "bearer", scope: grant.scopes.join(",") },
  };
}
