import type { VendorSimulator } from "../kit/vendor-simulator.ts";
import { addConsentPage, type ConsentPage } from "../oauth/consent-page.ts";
import type { OAuthApp } from "../oauth/oauth-app.ts";
import { personFields, readPerson } from "../oauth/people.ts";
import { accessTokenRoute } from "./access-token-route.ts";
import type { Access } from "./access-tokens.ts";
import { githubErrors } from "./github-errors.ts";
import { userRoutes } from "./user-routes.ts";

const CODE_LIFETIME_MS = 10 * 60_000;
/** The `iss` parameter, which GitHub has added to redirects since April 2026 (RFC 9207). */
const ISSUER = "https://github.com/login/oauth";
/** Other scopes are rejected, because Purser needs only the user's identity. */
const SCOPES: readonly string[] = ["read:user", "user:email"];

/**
 * Simulates the part of GitHub's login that identifies a user: the OAuth web flow, and the API calls for the profile
 * and the email addresses. One base URL replaces github.com and api.github.com. Unlike GitHub, the simulator requires a
 * redirect URI.
 */
export function githubSimulator(app: OAuthApp): VendorSimulator {
  return {
    vendor: "github",
    displayName: "GitHub",
    contractFile: null,
    contractPrefix: "",
    bodies: "json",
    magicValues: [
      { value: "persona linus", effect: "has an unverified primary address" },
      {
        value: "email on the consent page",
        effect: "is the user's primary address. It is verified unless the box below it is checked",
      },
      {
        value: "persona other",
        effect: "is a different user for each email address. Ada with another address is still the same user",
      },
    ],
    errors: githubErrors,
    routes: [accessTokenRoute(app), ...userRoutes],
    pages: (server, context) => addConsentPage(server, context, githubConsentPage(app)),
  };
}

function githubConsentPage(app: OAuthApp): ConsentPage<Access> {
  return {
    path: "/login/oauth/authorize",
    displayName: "GitHub",
    app,
    permissions: "Read your profile and your email addresses",
    codeLifetimeMs: CODE_LIFETIME_MS,
    fields: personFields(),
    validate: ({ scope }) =>
      parseScopes(scope).every((name) => SCOPES.includes(name))
        ? undefined
        : "This app can only request the scopes read:user and user:email.",
    grantOf: (form, { scope }) => {
      const person = readPerson(form);
      return person === undefined ? undefined : { person, scopes: parseScopes(scope) };
    },
    extraParameters: {
      allowed: { iss: ISSUER },
      denied: {
        error_description: "The user has denied your application access.",
        error_uri:
          "https://docs.github.com/apps/managing-oauth-apps/troubleshooting-authorization-request-errors/#access-denied",
        iss: ISSUER,
      },
    },
  };
}

/** GitHub's documentation separates scopes with spaces. GitHub's SDK separates them with commas. */
function parseScopes(scope: unknown): string[] {
  return typeof scope === "string" ? scope.split(/[ ,]/).filter((name) => name !== "") : [];
}
