import { EMAIL_TOKEN_PURPOSES } from "../../../foundation/vocabulary.ts";
import { OneOf, StrictObject, Text } from "../../../foundation/wire/fields.ts";
import {
  EmailedTokenResource,
  presentEmailedToken,
  RevokedKeysResource,
  readEmailedToken,
} from "../../../modules/developers/emailed-tokens.ts";
import { revokeKeysByEmail } from "../../../modules/developers/keys/emailed-keys.ts";
import { endpoint, type Route } from "../../route.ts";
import { clientInfoOf } from "./client-info.ts";

const TokenIn = Text("The token in the URL of the email.", { minLength: 1, maxLength: 512 });

const readEmailedTokenRoute = endpoint("POST /api/v1/svc/developers/emailed-tokens", {
  operationId: "readEmailedToken",
  sdk: "developers.emailedTokens.read",
  summary: "Read an emailed token",
  description:
    "Returns what a token from an email is for, without using it. It is a POST so that the token is in no URL. Fails with `invalid_token` if the token is unknown, used or expired, or has another purpose. A `verify_email` token of an address that is verified already can still be read.",
  auth: "public",
  body: StrictObject("EmailedTokenRequest", {
    token: TokenIn,
    purpose: OneOf(
      EMAIL_TOKEN_PURPOSES,
      "What the email is for: `verify_email` after a signup, `reset_password` after a request to reset the password, `revoke_keys` after a login with an identity provider.",
    ),
  }),
  answers: { 200: EmailedTokenResource },
  errors: ["invalid_token"],
  run: async (app, request) => {
    const { token, purpose } = request.body;
    return presentEmailedToken(await readEmailedToken(app, { token: token.trim(), purpose }));
  },
});

const revokeKeysByEmailRoute = endpoint("POST /api/v1/svc/developers/emailed-tokens/revoke-keys", {
  operationId: "revokeKeysByEmail",
  sdk: "developers.emailedTokens.revokeKeys",
  summary: "Revoke keys with an emailed token",
  description:
    "Revokes all API keys of the account with the token from the email that lists them. The token is valid once, for 7 days. Fails with `invalid_token` for an invalid token.",
  auth: "public",
  body: StrictObject("EmailedKeyRevocationRequest", { token: TokenIn }),
  answers: { 200: RevokedKeysResource },
  errors: ["invalid_token"],
  run: async (app, request) => {
    const token = request.body.token.trim();
    const count = await revokeKeysByEmail(app, { token, client: clientInfoOf(request) });
    return { object: "revoked_keys" as const, count };
  },
});

export const emailedTokenRoutes: readonly Route[] = [readEmailedTokenRoute, revokeKeysByEmailRoute];
