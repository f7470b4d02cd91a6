import type { VendorAnswer, VendorRequest, VendorRoute } from "../kit/vendor-simulator.ts";
import { digitsOf, type Person } from "../oauth/people.ts";
import { type Access, authenticate } from "./access-tokens.ts";
import { githubErrors } from "./github-errors.ts";

const ID_DIGITS = 8;

/** Whose token it is, and which addresses that person has. */
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
    handle: async (request) => emailsAnswer(accessOf(request)),
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
    // The address on the profile is whatever its owner wrote there.
    email: `shown-${email}`,
    html_url: `https://github.com/${login}`,
    created_at: "2020-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:00:00Z",
  };
}

/** GitHub has more than one address of a person, the primary one not first, and says 404 where the token may not see them. */
function emailsAnswer({ person, scopes }: Access): VendorAnswer {
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
