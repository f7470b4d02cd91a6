import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { ModeName } from "../../../foundation/wire/common.ts";
import { credentialErrors, Problem } from "../../../foundation/wire/problem.ts";
import {
  presentRegisteredDeveloper,
  type RegisteredDeveloper,
  RegisteredDeveloperResource,
  registerDeveloper,
} from "../../../modules/developers/index.ts";
import { actorOf } from "../../auth/principal.ts";
import { replyOnce } from "../../idempotency.ts";
import { principalOf, type Server } from "../../route.ts";
import { WordsIn } from "./fields.ts";
import { provenPublicKey, signatureFields } from "./keys/public-key.ts";

const DeveloperRegisterRequest = Type.Object(
  {
    company_name: Type.Optional(WordsIn(200)),
    key_name: Type.Optional(WordsIn(100)),
    mode: Type.Optional(ModeName),
    ...signatureFields,
  },
  { $id: "DeveloperRegisterRequest", additionalProperties: false },
);

export function registerDeveloperRoute(server: Server, app: App): void {
  server.route({
    method: "POST",
    url: "/api/v1/svc/developers/register",
    config: { auth: "dashboard" },
    schema: {
      operationId: "registerDeveloper",
      tags: ["Developers"],
      summary: "Register the signed-in developer for the API, and issue the first key pair",
      description:
        "Both texts are in this answer and nowhere else. A live pair named default, unless the body says otherwise.",
      body: DeveloperRegisterRequest,
      response: {
        201: RegisteredDeveloperResource,
        409: Problem,
        ...credentialErrors,
      },
    },
    handler: async (request, reply) => {
      const principal = principalOf(request);
      const { company_name, key_name = "default", mode = "live" } = request.body;
      const publicKey = provenPublicKey(request.body, principal.tenantId);
      const command = {
        actor: actorOf(request, principal),
        companyName: company_name,
        keyName: key_name,
        mode,
        publicKey,
      };
      return replyOnce(
        app,
        request,
        reply,
        {
          status: 201,
          secret: true,
          present: (registered: RegisteredDeveloper) => presentRegisteredDeveloper(app, registered),
        },
        (saveResponse) => registerDeveloper(app, command, saveResponse),
      );
    },
  });
}
