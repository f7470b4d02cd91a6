import type { App } from "../../../app.ts";
import type { Server } from "../../route.ts";

/** Serves the public keys that verify audit checkpoints and tokens about agents. */
export function jwksRoute(server: Server, app: App): void {
  server.route({
    method: ["GET", "HEAD"],
    url: "/.well-known/jwks.json",
    config: { auth: "public", page: true },
    schema: { hide: true },
    handler: async () => ({ keys: app.signer.publicJwks }),
  });
}
