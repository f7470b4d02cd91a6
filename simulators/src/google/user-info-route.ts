import type { VendorRoute } from "../kit/vendor-simulator.ts";
import { personOfToken } from "./access-tokens.ts";
import { googleError } from "./google-errors.ts";
import { userClaims } from "./id-tokens.ts";

const CHALLENGE = 'Bearer realm="https://accounts.google.com/", error="invalid_token"';

/** The profile of the token's owner. */
export const userInfoRoute: VendorRoute = {
  operation: "userinfo",
  method: "GET",
  url: "/v1/userinfo",
  // A wrong token has an answer of its own: the vendor's `unauthorized` is about the app's credentials.
  auth: async () => "anybody",
  handle: async (request, context) => {
    const person = await personOfToken(request, context);
    if (person !== undefined) return { status: 200, body: userClaims(person) };
    const refusal = googleError(401, "invalid_token", "Invalid Credentials");
    return { ...refusal, headers: { "www-authenticate": CHALLENGE } };
  },
};
