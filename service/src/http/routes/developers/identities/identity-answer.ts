import type { FastifyReply } from "fastify";
import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import type { IdentityLogin } from "../../../../modules/developers/index.ts";
import { answerLogin, MfaRequired, SessionOut } from "../sessions/session-answer.ts";

const outcome = {
  created: Type.Boolean({ description: "The account was made by this login." }),
  linked: Type.Boolean({
    description: "The identity has become a way into an account that was there before.",
  }),
};

export const IdentityLoginOut = Type.Union([
  Type.Object({ ...SessionOut.properties, ...outcome }),
  Type.Object({ ...MfaRequired.properties, ...outcome }),
]);

/** Answers as a login by password does, and with what became of the account. */
export function answerIdentityLogin(
  app: Pick<App, "clock" | "settings">,
  reply: FastifyReply,
  { begun, created, linked }: IdentityLogin,
) {
  return { ...answerLogin(app, reply, begun), created, linked };
}
