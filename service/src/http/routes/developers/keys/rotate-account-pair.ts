import {
  presentRotatedAccountPair,
  RotatedAccountPairResource,
} from "../../../../modules/developers/keys/api-key-resource.ts";
import { type RotatedAccountPair, rotateAccountPair } from "../../../../modules/developers/keys/rotate-api-key.ts";
import { actorOf } from "../../../auth/principal.ts";
import { replyOnce } from "../../../idempotency.ts";
import { endpoint } from "../../../route.ts";
import { requestedModeOrLive } from "./key-modes.ts";

export const rotateAccountPairRoute = endpoint("POST /api/v1/svc/developers/rotate-key", {
  operationId: "rotateAccountPair",
  sdk: "developers.keys.rotateAccountPair",
  summary: "Rotate the account's key pair",
  description:
    "Replaces the account's own key pair in the mode of `X-Svc-Mode` (default: `live`). This is the pair that `POST /developers/register` creates. If the account has no such pair in this mode, creates one. The old pair stops working immediately. Other keys are unchanged. The new pair always has a secret, even if it replaces an Ed25519 key. The key and its secret are returned only in this response; a retry with the same `Idempotency-Key` fails with `secret_already_issued`.",
  auth: "dashboard",
  answers: { 200: RotatedAccountPairResource },
  errors: ["secret_already_issued"],
  run: async (app, request, reply) => {
    const mode = requestedModeOrLive(request);
    const actor = { ...actorOf(request), mode };
    const now = app.clock.now();
    return replyOnce(
      app,
      request,
      reply,
      {
        status: 200,
        secret: true,
        present: (rotated: RotatedAccountPair) => presentRotatedAccountPair(rotated, now),
      },
      (saveResponse) => rotateAccountPair(app, { actor, mode }, saveResponse),
    );
  },
});
