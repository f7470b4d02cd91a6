import { Type } from "typebox";
import { ModeName } from "../../../foundation/wire/fields.ts";
import { StrictObject } from "../../../foundation/wire/named-object.ts";
import {
  presentRegisteredDeveloper,
  type RegisteredDeveloper,
  RegisteredDeveloperResource,
  registerDeveloper,
} from "../../../modules/developers/register-developer.ts";
import { actorOf, principalOf } from "../../auth/principal.ts";
import { replyOnce } from "../../idempotency.ts";
import { endpoint } from "../../route.ts";
import { WordsIn } from "./fields.ts";
import { signatureFields, verifiedPublicKey } from "./keys/public-key.ts";

const DeveloperRegisterRequest = StrictObject("DeveloperRegisterRequest", {
  company_name: Type.Optional({
    ...WordsIn(200),
    description: "The company's name, on one line. Default: the `company_name` in the developer's profile.",
  }),
  key_name: Type.Optional({
    ...WordsIn(100),
    description: "The name of the account's first API key, on one line. Default: the text `default`.",
  }),
  mode: Type.Optional({
    ...ModeName,
    description: "The mode of the account's first API key. Default: `live`.",
  }),
  ...signatureFields,
});

export const registerDeveloperRoute = endpoint("POST /api/v1/svc/developers/register", {
  operationId: "registerDeveloper",
  sdk: "developers.register",
  summary: "Register for the API",
  description:
    "Registers the logged-in developer for the API and creates the account's first key pair. The key and its secret are returned only in this response; a retry with the same `Idempotency-Key` fails with `secret_already_issued`. Fails with `email_not_verified` if the email address is not verified, and with `already_exists` if the developer is already registered.",
  auth: "dashboard",
  body: DeveloperRegisterRequest,
  answers: { 201: RegisteredDeveloperResource },
  errors: ["secret_already_issued", "already_exists", "email_not_verified"],
  run: async (app, request, reply) => {
    const principal = principalOf(request);
    const { company_name, key_name = "default", mode = "live" } = request.body;
    const publicKey = verifiedPublicKey(request.body, principal.tenantId);
    const command = {
      actor: actorOf(request),
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
