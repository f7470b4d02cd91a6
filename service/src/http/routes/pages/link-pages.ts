import { escapeHtml, isolate } from "../../../foundation/escape-html.ts";
import type { LinkError } from "../../../foundation/vocabulary.ts";
import { findCatalogProvider } from "../../../modules/catalog/catalog.ts";
import type { PasteForm } from "../../../modules/links/paste-form.ts";
import type { FinishedLink } from "../../../modules/links/receive-oauth-callback.ts";
import { returnAddressOf } from "../projects/links/finished-link.ts";
import { alertHtml, htmlPage } from "./html-page.ts";

/** The text that pages show for each reason why a link failed. */
export const FAILURE_REASONS: Readonly<Record<LinkError, string>> = {
  access_denied: "Access was denied on the provider's page.",
  exchange_failed: "The provider rejected its own authorization code.",
  token_refused: "The provider rejected every token that was pasted.",
  provider_refused: "The provider returned an error.",
  provider_unavailable: "The provider could not be reached.",
  other_account:
    "This project has services in a different account at this provider. Link that account, or remove these services first.",
  project_not_active: "The project is deleted or not active.",
};

/** Shown for every invalid link URL, regardless of the reason. */
export const expiredLinkPage = htmlPage(
  "This link does not work",
  `<p>It was used before, is older than ten minutes, was replaced by a newer one, or is incomplete.</p>
<p>Start the link again in the program that sent you here. Programs get a new link from <code>POST /projects/{project_id}/link</code>, which the <a href="/docs">API reference</a> describes.</p>`,
);

export const providerUnavailablePage = htmlPage(
  "The provider cannot be reached",
  "<p>Nothing was linked or stored. Try again in a minute.</p>",
);

/**
 * Shows whether a provider was linked. If so, the page names the project and its owner, because another person may have
 * sent the URL to the visitor.
 *
 * @param developerEmail the verified address of the project's owner
 */
export function finishedLinkPage(settled: FinishedLink, developerEmail: string): string {
  const { provider, status, accountLabel, error } = settled.link;
  const entry = findCatalogProvider(provider);
  const name = escapeHtml(entry?.display_name ?? provider);
  const address = returnAddressOf(settled);
  const next =
    address === null ? "<p>You can close this page.</p>" : `<p><a href="${escapeHtml(address)}">Continue</a></p>`;
  if (status === "linked") {
    const account = isolate(accountLabel ?? "");
    return htmlPage(
      `${name} is linked`,
      `<p>${projectAndOwner(settled, developerEmail)} can now create services in the ${name} account <strong>${account}</strong>. If this is not your project, revoke its access at ${name}.</p>\n${next}`,
    );
  }
  const reason = error === null ? "" : escapeHtml(FAILURE_REASONS[error]);
  return htmlPage(`${name} was not linked`, `<p>${reason}</p>\n<p>Start the link again.</p>\n${next}`);
}

/**
 * Returns the form for a provider's API token. The browser posts it to the page's own URL.
 *
 * @param developerEmail the verified address of the project's owner
 */
export function pasteFormPage(form: PasteForm, developerEmail: string, alert?: string): string {
  const { providerName, once } = form;
  const name = escapeHtml(providerName);
  return htmlPage(
    `Link ${name}`,
    `${alertHtml(alert)}<p>${projectAndOwner(form, developerEmail)} requests permission to create services in your ${name} account. ${tokenInstructions(form)} Purser checks the token with ${name}, stores it encrypted, and never shows it.</p>
<form method="post" autocomplete="off">
<input type="hidden" name="once" value="${escapeHtml(once)}">
<label for="token">Token</label>
<input id="token" name="token" type="password" required maxlength="4096" autocomplete="off" spellcheck="false" autofocus>
<button type="submit">Link ${name}</button>
</form>
<p>Continue only if you or a person you trust has just started this.</p>`,
  );
}

function tokenInstructions({ tokenPageUrl, sandboxToken }: PasteForm): string {
  if (sandboxToken !== undefined) {
    return `<strong>This is the sandbox:</strong> paste a token such as <code>${escapeHtml(sandboxToken)}</code>.`;
  }
  const tokenPage = escapeHtml(tokenPageUrl);
  return `Create a token at <a href="${tokenPage}" rel="noreferrer">${tokenPage}</a> and paste it here.`;
}

function projectAndOwner({ projectName }: Pick<PasteForm, "projectName">, developerEmail: string): string {
  return `The project <strong>${isolate(projectName)}</strong> of <strong>${escapeHtml(developerEmail)}</strong>`;
}
