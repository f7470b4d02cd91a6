import { asset } from "./page.ts";

/** Serves the public keys that verify audit checkpoints and tokens about agents. */
export const jwksRoute = asset("/.well-known/jwks.json", ({ app, reply }) =>
  reply.send({ keys: app.signer.publicJwks }),
);
