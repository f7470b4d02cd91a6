import { IDENTITY_PROVIDERS } from "../../../../foundation/vocabulary.ts";
import { startProviderLogin } from "../../../../modules/developers/identities/redirect-login.ts";
import { ensureBrowserSecret } from "../../../auth/browser-secret.ts";
import { networkOf } from "../../../auth/client-network.ts";
import { endpoint, type Route } from "../../../route.ts";
import { htmlPage, PAGE_HEADERS } from "../html-page.ts";
import { expectError } from "../page.ts";

/** Redirects the browser to an identity provider's login page. */
export const startProviderLoginRoutes: readonly Route[] = IDENTITY_PROVIDERS.map((provider) =>
  endpoint(`GET /login/${provider}`, {
    auth: "public",
    ignoresUnknownQuery: true,
    run: async (app, request, reply) => {
      const browserSecret = ensureBrowserSecret(request, reply, app.settings);
      const network = networkOf(request.ip);
      try {
        const started = await startProviderLogin(app, { provider, browserSecret, network });
        return await reply.header("referrer-policy", "no-referrer").redirect(started.authorizationUrl, 302);
      } catch (thrown) {
        const { status, retryAfterSeconds } = expectError(thrown, "rate_limited");
        return reply
          .code(status)
          .headers({ ...PAGE_HEADERS, "retry-after": String(retryAfterSeconds) })
          .send(tooManyPage);
      }
    },
  }),
);

const tooManyPage = htmlPage(
  "Too many logins",
  `<p>Too many logins were started from your network. Wait a minute, then try again.</p>
<p><a href="/login">Back to login</a></p>`,
);
