import { html } from "../kit/html.ts";
import { responseTypeProblem } from "../oauth/authorization-request.ts";
import type { ConsentPage } from "../oauth/consent-page.ts";
import type { OAuthApp } from "../oauth/oauth-app.ts";
import { personaChoice } from "../oauth/persona-choice.ts";
import { PERSONAS } from "./accounts.ts";

const CODE_LIFETIME_MS = 5 * 60_000;

/** Supabase's consent page, which grants access to an account. */
export function supabaseConsentPage(app: OAuthApp): ConsentPage<string> {
  return {
    path: "/v1/oauth/authorize",
    displayName: "Supabase",
    app,
    permissions: "Read your organizations. Create, read and delete projects. Read their API keys",
    codeLifetimeMs: CODE_LIFETIME_MS,
    fields: html`<fieldset>
          <legend>Log in as</legend>
          ${PERSONAS.map(personaChoice)}
        </fieldset>`,
    validate: responseTypeProblem,
    grantOf: ({ persona }) => PERSONAS.find(({ id }) => id === persona)?.id,
    extraParameters: { allowed: {}, denied: {} },
  };
}
