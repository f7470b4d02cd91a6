import type { App } from "../../../../app.ts";
import { AppError } from "../../../../foundation/errors.ts";
import { IDENTITY_PROVIDERS } from "../../../../foundation/vocabulary.ts";
import { startProviderLogin } from "../../../../modules/developers/index.ts";
import { ensureBrowserSecret } from "../../../auth/browser-secret.ts";
import { networkOf } from "../../../auth/client-network.ts";
import type { Server } from "../../../route.ts";
import { PAGE_HEADERS } from "../html-page.ts";
import { failedLoginPage } from "./login-pages.ts";

/** Redirects the browser to an identity provider's login page. */
export function startProviderLoginRoutes(server: Server, app: App): void {
  for (const provider of IDENTITY_PROVIDERS) {
    server.route({
      method: "GET",
      url: `/login/${provider}`,
      config: { auth: "public", ignoresUnknownQuery: true },
      schema: { hide: true },
      handler: async (request, reply) => {
        const browserSecret = ensureBrowserSecret(request, reply, app.settings);
        const network = networkOf(request.ip);
        try {
          const started = await startProviderLogin(app, { provider, browserSecret, network });
          return await reply.header("referrer-policy", "no-referrer").redirect(started.authorizationUrl, 302);
        } catch (thrown) {
          if (!(thrown instanceof AppError) || thrown.code !== "rate_limited") throw thrown;
          return reply
            .code(thrown.status)
            .headers({ ...PAGE_HEADERS, "retry-after": String(thrown.retryAfterSeconds) })
            .send(tooManyPage);
        }
      },
    });
  }
}

const tooManyPage = failedLoginPage(
  "Too many logins",
  "Too many logins were started from your network. Wait a minute, then try again.",
);
