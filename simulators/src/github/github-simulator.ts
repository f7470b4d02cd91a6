import type { VendorSimulator } from "../kit/vendor-simulator.ts";
import { addConsentPage, type ConsentPage } from "../oauth/consent-page.ts";
import type { OAuthApp } from "../oauth/oauth-app.ts";
import { personFields, personIn } from "../oauth/people.ts";
import { accessTokenRoute } from "./access-token-route.ts";
import type { Access } from "./access-tokens.ts";
import { githubErrors } from "./github-errors.ts";
import { userRoutes } from "./user-routes.ts";

const CODE_LIFETIME_MS = 10 * 60_000;
/** Names the vendor in what it sends back (RFC 9207), since April 2026. */
const ISSUER = "https://github.com/login/oauth";
/** The app shows who somebody is, so that it is to ask for no more than that. */
const SCOPES: readonly string[] = ["read:user", "user:email"];

/**
 * GitHub's sign-in, as much of it as tells who somebody is: the web flow of OAuth apps, and the person and their addresses
 * as the API gives them. github.com and api.github.com are one address here. An address
 * written out in full is required, where GitHub does without.
 */
export function githubSimulator(app: OAuthApp): VendorSimulator {
  return {
    vendor: "github",
    displayName: "GitHub",
    contractFile: null,
    contractPrefix: "",
    bodies: "json",
    magicValues: [
      { value: "persona linus", effect: "has a primary address that is not verified" },
      {
        value: "email on the consent page",
        effect: "is the person's primary address, verified unless the box below it is ticked",
      },
      {
        value: "persona somebody",
        effect: "is always the same person for one email; ada with another email is still Ada",
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
    may: "see your profile and your addresses",
    codeLifetimeMs: CODE_LIFETIME_MS,
    fields: personFields(),
    problemOf: ({ scope }) =>
      scopesIn(scope).every((name) => SCOPES.includes(name))
        ? undefined
        : "This app may ask for read:user and user:email only.",
    grantOf: (form, { scope }) => {
      const person = personIn(form);
      return person === undefined ? undefined : { person, scopes: scopesIn(scope) };
    },
    alsoReturned: {
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

/** GitHub's documents separate scopes by spaces, and its own SDK by commas. */
function scopesIn(scope: unknown): string[] {
  return typeof scope === "string" ? scope.split(/[ ,]/).filter((name) => name !== "") : [];
}
