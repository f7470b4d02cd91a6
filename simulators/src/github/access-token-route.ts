import { type Static, Type } from "typebox";
import type { VendorAnswer, VendorContext, VendorRoute } from "../kit/vendor-simulator.ts";
import { redeemCode } from "../oauth/codes.ts";
import type { OAuthApp } from "../oauth/oauth-app.ts";
import { type Access, issueAccessToken } from "./access-tokens.ts";
import { tokenProblem } from "./github-errors.ts";

const Text = Type.String({ minLength: 1, maxLength: 2_048 });
// GitHub does without the last two, as it does without PKCE.
const TokenBody = Type.Object(
  {
    client_id: Text,
    client_secret: Text,
    code: Text,
    redirect_uri: Text,
    code_verifier: Type.String({ pattern: "^[A-Za-z0-9._~-]{43,128}$" }),
  },
  { additionalProperties: false },
);

const TOKEN_PROBLEMS = {
  code: "bad_verification_code",
  code_verifier: "bad_verification_code",
  redirect_uri: "redirect_uri_mismatch",
} as const;

/** A code in, a token out. Without `Accept: application/json` GitHub answers in a form, which nobody here reads. */
export function accessTokenRoute(app: OAuthApp): VendorRoute {
  return {
    operation: "githubAccessToken",
    method: "POST",
    url: "/login/oauth/access_token",
    bodies: "form",
    body: TokenBody,
    // The app's credentials stand in the form, and what is wrong with them is told like everything else, with 200.
    auth: async () => "anybody",
    handle: async ({ body, headers }, context) => {
      const form = body as Static<typeof TokenBody>;
      if (form.client_id !== app.clientId || form.client_secret !== app.clientSecret) {
        return tokenProblem("incorrect_client_credentials");
      }
      if (headers.accept !== "application/json") return { status: 406 };
      return exchangeCode(form, context);
    },
  };
}

async function exchangeCode(
  form: Static<typeof TokenBody>,
  context: VendorContext,
): Promise<VendorAnswer> {
  const redeemed = await redeemCode<Access>(context, {
    code: form.code,
    codeVerifier: form.code_verifier,
    redirectUri: form.redirect_uri,
    clientId: form.client_id,
  });
  if ("wrong" in redeemed) return tokenProblem(TOKEN_PROBLEMS[redeemed.wrong]);
  const { grant } = redeemed;
  const access_token = await issueAccessToken(context, grant);
  return {
    status: 200,
    body: { access_token, token_type: "bearer", scope: grant.scopes.join(",") },
  };
}
