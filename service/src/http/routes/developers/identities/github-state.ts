import { Problem } from "../../../../foundation/wire/problem.ts";
import {
  GitHubAuthorizationResource,
  presentGitHubAuthorization,
} from "../../../../modules/developers/identities/identity-resources.ts";
import { startProviderLogin } from "../../../../modules/developers/identities/redirect-login.ts";
import { ensureBrowserSecret } from "../../../auth/browser-secret.ts";
import { networkOf } from "../../../auth/client-network.ts";
import { endpoint } from "../../../route.ts";

export const gitHubStateRoute = endpoint("POST /api/v1/svc/developers/oauth/github/state", {
  config: { auth: "public", responseHeaders: ["Set-Cookie"] },
  schema: {
    operationId: "beginGitHubLogin",
    summary: "Start a GitHub login",
    description:
      "Returns a `state` and the GitHub URL to open in the browser, and sets a cookie. The `state` is valid once, for ten minutes, and only with the cookie: a program must send the cookie to `POST /developers/oauth/github`. Fails with `rate_limited` after 30 calls per minute from one network, and with `not_found` if GitHub login is not configured.",
    response: { 200: GitHubAuthorizationResource, 404: Problem },
  },
  handler: async (app, request, reply) => {
    const started = await startProviderLogin(app, {
      provider: "github",
      browserSecret: ensureBrowserSecret(request, reply, app.settings),
      network: networkOf(request.ip),
    });
    return presentGitHubAuthorization(started);
  },
});
