import { escapeHtml } from "../../../foundation/escape-html.ts";
import type { LinkError } from "../../../foundation/vocabulary.ts";
import { catalog, type PasteForm, type SettledLink } from "../../../modules/projects/index.ts";
import { returnAddressOf } from "../projects/links/settled-link.ts";
import { htmlPage } from "./html-page.ts";

/** Why a link failed, for people. */
export const FAILURE_REASONS: Readonly<Record<LinkError, string>> = {
  access_denied: "The consent was declined.",
  exchange_failed: "The provider did not take the code that it had given out.",
  token_refused: "None of the tokens that were pasted was good.",
  provider_refused: "The provider answered with an error.",
  provider_unavailable: "The provider could not be reached.",
  other_account:
    "This project has services in another account of the provider. Link that account, or remove them first.",
  project_not_active: "The project has been deleted, or is not active.",
};

/** For an address that opens nothing, whatever is wrong with it. */
export const expiredLinkPage = htmlPage(
  "This link does not work",
  "<p>It was used before, it is older than ten minutes, a newer one was begun, or it was not copied whole. Begin the link again.</p>",
);

export const providerUnavailablePage = htmlPage(
  "The provider cannot be reached",
  "<p>Nothing was linked, and nothing was stored. Try again shortly.</p>",
);

/**
 * What became of a link, and whose project it is that was linked: whoever was led here by somebody else sees that.
 *
 * @param developerEmail the address of the developer whose project it is, which we have verified
 */
export function settledLinkPage(settled: SettledLink, developerEmail: string): string {
  const { provider, status, accountLabel, error } = settled.link;
  const entry = catalog.providers.find((known) => known.provider === provider);
  const name = escapeHtml(entry?.display_name ?? provider);
  const address = returnAddressOf(settled);
  const next =
    address === null
      ? "<p>You can close this page.</p>"
      : `<p><a href="${escapeHtml(address)}">Go on</a></p>`;
  if (status === "linked") {
    const account = escapeHtml(accountLabel ?? "");
    return htmlPage(
      `${name} is linked`,
      `<p>${projectOf(settled, developerEmail)} makes its services in the ${name} account <strong>${account}</strong>. If that project is none of yours, end its access at ${name}.</p>\n${next}`,
    );
  }
  const why = error === null ? "" : escapeHtml(FAILURE_REASONS[error]);
  return htmlPage(`${name} was not linked`, `<p>${why}</p>\n<p>Begin the link again.</p>\n${next}`);
}

/**
 * The form that a token is pasted into. It is sent to the address that it was got from.
 *
 * @param developerEmail as `settledLinkPage` has it
 */
export function pasteFormPage(form: PasteForm, developerEmail: string, alert = ""): string {
  const { providerName, once } = form;
  const name = escapeHtml(providerName);
  const warning = alert === "" ? "" : `<p role="alert">${escapeHtml(alert)}</p>\n`;
  return htmlPage(
    `Link ${name}`,
    `${warning}<p>${projectOf(form, developerEmail)} wants to make services in your ${name} account. ${whereToGetToken(form)} It is checked with ${name}, then kept encrypted, and shown to nobody.</p>
<form method="post" autocomplete="off">
<input type="hidden" name="once" value="${escapeHtml(once)}">
<label for="token">Token</label>
<input id="token" name="token" type="password" required maxlength="4096" autocomplete="off" spellcheck="false" autofocus>
<button type="submit">Link ${name}</button>
</form>
<p>Only go on if you, or somebody you trust, has just begun this.</p>`,
  );
}

function whereToGetToken({ tokenPageUrl, sandboxToken }: PasteForm): string {
  if (sandboxToken !== undefined) {
    return `<strong>This is the sandbox:</strong> take a token such as <code>${escapeHtml(sandboxToken)}</code>, and paste it here.`;
  }
  const tokenPage = escapeHtml(tokenPageUrl);
  return `Make a token for it at <a href="${tokenPage}" rel="noreferrer">${tokenPage}</a>, and paste it here.`;
}

function projectOf(
  { projectName }: Pick<PasteForm, "projectName">,
  developerEmail: string,
): string {
  return `The project <strong>${escapeHtml(projectName)}</strong> of <strong>${escapeHtml(developerEmail)}</strong>`;
}
