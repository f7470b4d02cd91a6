import { html } from "../mailbox/html.ts";
import { isOptionalText, type Query, responseTypeProblem } from "../oauth/authorization-request.ts";
import type { ConsentPage } from "../oauth/consent-page.ts";
import type { OAuthApp } from "../oauth/oauth-app.ts";
import { personFields, personIn } from "../oauth/people.ts";
import { ID_TOKEN_FLAWS, type IdTokenFlaw, ISSUER } from "./id-tokens.ts";
import type { Grant } from "./token-route.ts";

const CODE_LIFETIME_MS = 10 * 60_000;
/** The app shows who somebody is, so that it is to ask for no more than that. */
const SCOPES = ["openid", "email", "profile"];
const FLAWS = Object.entries(ID_TOKEN_FLAWS);

/** Google's consent page. Below the people, the sandbox lets one choose what is to be wrong with the ID token. */
export function googleConsentPage(app: OAuthApp): ConsentPage<Grant> {
  return {
    path: "/o/oauth2/v2/auth",
    displayName: "Google",
    app,
    may: "see your name and your address",
    codeLifetimeMs: CODE_LIFETIME_MS,
    fields: html`${personFields()}
        <fieldset>
          <legend>The ID token (the sandbox's own field)</legend>
          <label>It <select name="id_token">
            <option value="">is good</option>
            ${FLAWS.map(([flaw, effect]) => html`<option value="${flaw}">${effect}</option>`)}
          </select></label>
        </fieldset>`,
    problemOf,
    grantOf: (form, { nonce }) => {
      const person = personIn(form);
      const flaw = flawIn(form);
      return person === undefined || flaw === "unknown"
        ? undefined
        : {
            person,
            ...(typeof nonce === "string" && { nonce }),
            ...(flaw !== "none" && { flaw }),
          };
    },
    alsoReturned: {
      allowed: { iss: ISSUER, scope: SCOPES.join(" "), authuser: "0", prompt: "consent" },
      denied: {},
    },
  };
}

function problemOf(query: Query): string | undefined {
  const { scope, nonce } = query;
  const scopes = String(scope).split(" ");
  if (!scopes.includes("openid") || !scopes.every((name) => SCOPES.includes(name))) {
    return `The scope has to be openid, and at most ${SCOPES.join(" ")}.`;
  }
  if (!isOptionalText(nonce)) return "The nonce has to be 1 to 1,024 characters.";
  return responseTypeProblem(query);
}

function flawIn({ id_token = "" }: Query): IdTokenFlaw | "none" | "unknown" {
  if (id_token === "") return "none";
  return isFlaw(id_token) ? id_token : "unknown";
}

function isFlaw(value: unknown): value is IdTokenFlaw {
  return FLAWS.some(([flaw]) => flaw === value);
}
