import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { AppError } from "../../../../foundation/errors.ts";
import { escapeHtml } from "../../../../foundation/escape-html.ts";
import {
  type KeysOfEmailedToken,
  listKeysOfEmailedToken,
  revokeKeysByEmail,
} from "../../../../modules/developers/index.ts";
import { isSameOrigin } from "../../../auth/same-origin.ts";
import type { Server } from "../../../route.ts";
import { clientInfoOf } from "../../developers/client-info.ts";
import { newCsrfToken, useCsrfToken } from "../csrf-token.ts";
import { alertHtml, FORM_PAGE_HEADERS, htmlPage, PAGE_HEADERS } from "../html-page.ts";
import { keyList } from "./key-list.ts";
import { STALE_FORM } from "./login-forms.ts";
import { tokenIn } from "./token-in.ts";

const FORM = "revoke-keys";
const PATH = "/login/revoke-keys";
const PURPOSE = "revoke_keys";

const RevokeFields = Type.Object(
  { once: Type.String({ maxLength: 200 }), token: Type.String({ maxLength: 512 }) },
  { additionalProperties: false },
);

/**
 * Serves the page of a key revocation URL, which users get by email. Opening the page revokes nothing, because email
 * scanners open URLs too.
 */
export function revokeKeysPageRoutes(server: Server, app: App): void {
  server.route({
    method: ["GET", "HEAD"],
    url: PATH,
    config: { auth: "public", page: true, ignoresUnknownQuery: true },
    schema: { hide: true },
    handler: async (request, reply) => {
      const token = tokenIn(request.query);
      const account = await listKeysOfEmailedToken(app, { token, purpose: PURPOSE });
      if (account === undefined) return reply.code(422).headers(PAGE_HEADERS).send(expiredLinkPage);
      const once = newCsrfToken(app, request, reply, FORM);
      return reply.headers(FORM_PAGE_HEADERS).send(revokeKeysPage({ once, token, account }));
    },
  });
  server.route({
    method: "POST",
    url: PATH,
    config: { auth: "public", body: "form", ignoresUnknownQuery: true },
    schema: { hide: true, body: RevokeFields },
    handler: async (request, reply) => {
      if (!isSameOrigin(request, app.settings)) throw new AppError("cross_origin");
      const { once, token } = request.body;
      if (!(await useCsrfToken(app, request, { form: FORM, value: once }))) {
        return reply.code(422).headers(PAGE_HEADERS).send(staleFormPage);
      }
      reply.headers(PAGE_HEADERS);
      try {
        const count = await revokeKeysByEmail(app, { token, client: clientInfoOf(request) });
        return reply.send(revokedPage(count));
      } catch (thrown) {
        if (!(thrown instanceof AppError) || thrown.code !== "invalid_token") throw thrown;
        return reply.code(thrown.status).send(expiredLinkPage);
      }
    },
  });
}

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
