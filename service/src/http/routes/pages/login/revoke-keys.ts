import { Type } from "typebox";
import { escapeHtml, isolate } from "../../../../foundation/text.ts";
import {
  type KeysOfEmailedToken,
  listKeysOfEmailedToken,
  revokeKeysByEmail,
} from "../../../../modules/developers/keys/emailed-keys.ts";
import type { Route } from "../../../route.ts";
import { clientInfoOf } from "../../developers/client-info.ts";
import { newCsrfToken, STALE_FORM, useCsrfToken } from "../csrf-token.ts";
import { alertHtml, FORM_PAGE_HEADERS, htmlPage, PAGE_HEADERS } from "../html-page.ts";
import { expectError, form, page, textInQuery } from "../page.ts";

/** Returns the account's API keys as an HTML list. */
export function keyList({ keys }: Pick<KeysOfEmailedToken, "keys">): string {
  const items = keys.map(({ keyId, keyHint, mode, name, createdAt, lastUsedAt }) => {
    const used = lastUsedAt === null ? "not used yet" : `last used on ${lastUsedAt.toISOString().slice(0, 10)}`;
    const dates = `created on ${createdAt.toISOString().slice(0, 10)}, ${used}`;
    return `<li><strong>${isolate(name)}</strong> (${mode}, ${escapeHtml(keyHint)}), ${dates}: <code>${keyId}</code></li>`;
  });
  return `<ul>\n${items.join("\n")}\n</ul>`;
}

const FORM = "revoke-keys";
const PATH = "/login/revoke-keys";
const PURPOSE = "revoke_keys";

/**
 * Serves the page of a key revocation URL, which users get by email. Opening the page revokes nothing, because email
 * scanners open URLs too.
 */
export const revokeKeysPageRoutes: readonly Route[] = [
  page(PATH, async (visit) => {
    const { app, request, reply } = visit;
    const token = textInQuery(request, "token");
    const account = await listKeysOfEmailedToken(app, { token, purpose: PURPOSE });
    if (account === undefined) return reply.code(422).headers(PAGE_HEADERS).send(expiredLinkPage);
    const once = newCsrfToken(visit, FORM);
    return reply.headers(FORM_PAGE_HEADERS).send(revokeKeysPage({ once, token, account }));
  }),
  form({
    url: PATH,
    fields: { token: Type.String({ maxLength: 512 }) },
    submit: async (visit, { once, token }) => {
      const { app, request, reply } = visit;
      reply.headers(PAGE_HEADERS);
      if (!(await useCsrfToken(visit, FORM, once))) return reply.code(422).send(staleFormPage);
      try {
        const count = await revokeKeysByEmail(app, { token, client: clientInfoOf(request) });
        return reply.send(revokedPage(count));
      } catch (thrown) {
        return reply.code(expectError(thrown, "invalid_token").status).send(expiredLinkPage);
      }
    },
  }),
];

function revokeKeysPage({
  once,
  token,
  account,
}: {
  readonly once: string;
  readonly token: string;
  readonly account: KeysOfEmailedToken;
}): string {
  if (account.keys.length === 0) {
    return htmlPage("Your account has no API keys", "<p>There is nothing to revoke.</p>");
  }
  return htmlPage(
    "Revoke your API keys",
    `<p>Active API keys of your account:</p>
${keyList(account)}
<p>A revoked key stops working immediately. To revoke single keys, log in and use the <a href="/docs">API</a>.</p>
<form method="post" action="${PATH}">
<input type="hidden" name="once" value="${escapeHtml(once)}">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<button type="submit">Revoke all keys</button>
</form>`,
  );
}

function revokedPage(count: number): string {
  return htmlPage(
    "Your API keys are revoked",
    `<p>Revoked keys: ${count}. <a href="/login">Log in</a> to create new ones.</p>`,
  );
}

const expiredLinkPage = htmlPage(
  "This link does not work",
  `<p>It was used before, is older than 7 days, or is incomplete. <a href="/login">Log in</a> to revoke keys.</p>`,
);

const staleFormPage = htmlPage(
  "Revoke your API keys",
  `${alertHtml(STALE_FORM)}<p>Open the link in the email again.</p>`,
);
