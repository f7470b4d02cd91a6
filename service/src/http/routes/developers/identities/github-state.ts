import type { App } from "../../../../app.ts";
import { Problem, publicErrors } from "../../../../foundation/wire/problem.ts";
import {
  beginProviderLogin,
  GitHubAuthorizationResource,
  presentGitHubAuthorization,
} from "../../../../modules/developers/index.ts";
import { ensureBrowserSecret } from "../../../auth/browser-secret.ts";
import { networkOf } from "../../../auth/client-network.ts";
import type { Server } from "../../../route.ts";

export function gitHubStateRoute(server: Server, app: App): void {
  server.route({
    method: "POST",
    url: "/api/v1/svc/developers/oauth/github/state",
    config: { auth: "public", responseHeaders: ["Set-Cookie"] },
    schema: {
      operationId: "beginGitHubLogin",
      tags: ["Developers"],
      summary: "Begin a login with GitHub: a state, and where to send the browser",
      description:
        "The state is good once, for ten minutes, and together with the cookie that comes with it: a program keeps the cookie for /developers/oauth/github. A network begins 30 a minute. 404 where the operator has no app at GitHub.",
      response: {
        200: GitHubAuthorizationResource,
        404: Problem,
        ...publicErrors,
      },
    },
    handler: async (request, reply) => {
      const begun = await beginProviderLogin(app, {
        provider: "github",
        browserSecret: ensureBrowserSecret(request, reply, app.settings),
        network: networkOf(request.ip),
      });
      return presentGitHubAuthorization(begun);
    },
  });
}
