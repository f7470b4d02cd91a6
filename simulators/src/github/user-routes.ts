import type { VendorRequest, VendorResponse, VendorRoute } from "../kit/vendor-simulator.ts";
import { digitsOf, type Person } from "../oauth/people.ts";
import { type Access, authenticate } from "./access-tokens.ts";
import { githubErrors } from "./github-errors.ts";

const ID_DIGITS = 8;

/** Routes for the user's profile and email addresses. */
export const userRoutes: readonly VendorRoute[] = [
  {
    operation: "users/get-authenticated",
    method: "GET",
    url: "/user",
    auth: authenticate,
    handle: async (request) => ({ status: 200, body: userOf(accessOf(request).person) }),
  },
  {
    operation: "users/list-emails-for-authenticated-user",
    method: "GET",
    url: "/user/emails",
    auth: authenticate,
    handle: async (request) => listEmails(accessOf(request)),
  },
];

function accessOf({ caller }: VendorRequest): Access {
  return caller as Access;
}

function userOf({ key, name, email }: Person): object {
  const login = loginOf(key);
  return {
    login,
    id: Number(digitsOf({ key }, ID_DIGITS)),
    node_id: Buffer.from(`04:User${digitsOf({ key }, ID_DIGITS)}`).toString("base64"),
    type: "User",
    site_admin: false,
    name,
    // The profile's email address differs from the primary one, so that tests detect clients that use the wrong one.
    email: `shown-${email}`,
    html_url: `https://github.com/${login}`,
    created_at: "2020-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:00:00Z",
  };
}

/**
 * As in GitHub's API, the primary address is not the first in the list, and a token without the scope `user:email` gets
 * a 404 response.
 */
function listEmails({ person, scopes }: Access): VendorResponse {
  if (!scopes.includes("user:email")) return githubErrors.notFound();
  const hidden = `${digitsOf(person, ID_DIGITS)}+${loginOf(person.key)}@users.noreply.github.com`;
  return {
    status: 200,
    body: [
      { email: hidden, primary: false, verified: true, visibility: null },
      {
        email: person.email,
        primary: true,
        verified: person.emailVerified,
        visibility: "private",
      },
    ],
  };
}

function loginOf(key: string): string {
  return key.replace(/@.*/, "").replace(/[^a-z0-9]+/gi, "-");
}
