import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { Nullable, Timestamp } from "../../../../foundation/wire/common.ts";
import { credentialErrors, Problem } from "../../../../foundation/wire/problem.ts";
import { rotateAccountPair } from "../../../../modules/developers/index.ts";
import { actorOf } from "../../../auth/principal.ts";
import { replyOnce } from "../../../idempotency.ts";
import { principalOf, type Server } from "../../../route.ts";
import { ApiKeyOut, presentApiKey } from "../presenter.ts";
import { pairFields, presentPair } from "./issued-api-key.ts";
import { namedModeOrLive } from "./key-modes.ts";

const RotatedAccountPairOut = Type.Object(
  {
    ...pairFields,
    key: ApiKeyOut,
    previous_key: Nullable(Type.Object({ key_id: Type.String(), revoked_at: Timestamp })),
  },
  { $id: "RotatedAccountPair" },
);

export function rotateAccountPairRoute(server: Server, app: App): void {
  server.route({
    method: "POST",
    url: "/api/v1/svc/developers/rotate-key",
    config: { auth: "dashboard" },
    schema: {
      operationId: "rotateAccountPair",
      tags: ["Developers"],
      summary:
        "Replace the account's own key pair: the old one is refused from the next request on",
      description:
        "Of the mode that X-Svc-Mode names, live without it. Both texts are in this answer and nowhere else. Keys issued beside the pair live on.",
      response: { 200: RotatedAccountPairOut, 409: Problem, ...credentialErrors },
    },
    handler: async (request, reply) => {
      const mode = namedModeOrLive(request);
      const actor = { ...actorOf(request, principalOf(request)), mode };
      const now = app.clock.now();
      return replyOnce(
        app,
        request,
        reply,
        {
          status: 200,
          secret: true,
          present: ({ key, previous, apiKey, apiSecret }) => ({
            ...presentPair({ apiKey, apiSecret }),
            key: presentApiKey(key, now),
            previous_key: previous && {
              key_id: previous.keyId,
              revoked_at: presentApiKey(previous, now).revoked_at,
            },
          }),
        },
        (saveResponse) => rotateAccountPair(app, { actor, mode }, saveResponse),
      );
    },
  });
}
