import type { VendorRoute } from "../kit/vendor-simulator.ts";
import { findPersonByToken } from "./access-tokens.ts";
import { googleError } from "./google-errors.ts";
import { userClaims } from "./id-tokens.ts";

const CHALLENGE = 'Bearer realm="https://accounts.google.com/", error="invalid_token"';

/** Returns the profile of the access token's owner. */
export const userInfoRoute: VendorRoute = {
  operation: "userinfo",
  method: "GET",
  url: "/v1/userinfo",
  // `auth` accepts every request, and `handle` checks the access token. If `auth` rejected a request, the client would
  // get the error for invalid app credentials.
  auth: async () => "anyone",
  handle: async (request, context) => {
    const person = await findPersonByToken(request, context);
    if (person !== undefined) return { status: 200, body: userClaims(person) };
    const response = googleError(401, "invalid_token", "Invalid Credentials");
    return { ...response, headers: { "www-authenticate": CHALLENGE } };
  },
};
