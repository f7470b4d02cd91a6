import type { App } from "../../../app.ts";
import type { Server } from "../../route.ts";

/** The public halves of the keys that sign what others check: audit checkpoints now, receipts and proofs later. */
export function jwksRoute(server: Server, app: App): void {
  server.route({
    method: ["GET", "HEAD"],
    url: "/.well-known/jwks.json",
    config: { auth: "public", page: true },
    schema: { hide: true },
    handler: async () => ({ keys: app.signer.publicJwks }),
  });
}
