import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { invalidField } from "../../../foundation/errors.ts";
import { pointerToken } from "../../../foundation/strict-json.ts";
import { VARIABLE_NAME_PATTERN } from "../../../foundation/variable-names.ts";
import { STORABLE_TEXT, StrictObject } from "../../../foundation/wire/fields.ts";
import { EnvComparisonResource } from "../../../modules/env/compare-env.ts";
import { compareEnv } from "../../../workflows/compare-env.ts";
import { requestedMode } from "../../auth/authenticate.ts";
import { actorOf } from "../../auth/principal.ts";
import { endpoint } from "../../route.ts";
import { LOGIN_PROOF, loginProofOf } from "../developers/fields.ts";
import { EnvironmentName } from "./project-fields.ts";
import { projectKeyOf } from "./project-key.ts";
import { VALUE_BYTES_MAX } from "./variables/variables.ts";

const EnvComparisonRequest = StrictObject("EnvComparisonRequest", {
  environment: { ...EnvironmentName, description: "The environment to compare with." },
  values: Type.Unsafe<Record<string, string>>({
    type: "object",
    maxProperties: 200,
    propertyNames: {
      pattern: VARIABLE_NAME_PATTERN,
      description: "1 to 128 letters of A to Z in any case, digits and underscores, not starting with a digit.",
    },
    additionalProperties: Type.String({ maxLength: VALUE_BYTES_MAX, ...STORABLE_TEXT }),
    description:
      "At most 200 values by name, each of at most 32 KiB in UTF-8. They are compared and then forgotten. Names that differ only in case are different.",
  }),
  ...LOGIN_PROOF,
});

export const compareEnvRoute = endpoint("POST /api/v1/svc/projects/:project_id/env/compare", {
  operationId: "compareEnv",
  sdk: "projects.env.compare",
  summary: "Compare values with an environment",
  description:
    "Returns for each name whether the sent value is the one of the environment: the project's own variables and those of its services. Never returns a value. Accepts only dashboard sessions, with `X-Svc-Mode`, and requires a login within the last 15 minutes, or the field `password` or `totp_code`. Without one of these, the call fails with `reauthentication_required`. Fails with `rate_limited` after 20 calls within a minute, and with `conflict` if the project is suspended. Writes an audit entry with the number of values that were sent. An `Idempotency-Key` is ignored, because nothing of the request is kept.",
  auth: "dashboard",
  body: EnvComparisonRequest,
  answers: { 200: EnvComparisonResource },
  errors: ["reauthentication_required", "rate_limited", "conflict"],
  example: { environment: "development", values: { API_URL: "https://api.example.com" } },
  run: async (app, request) => {
    requireMode(request);
    const { environment, values, ...proof } = request.body;
    for (const [name, value] of Object.entries(values)) {
      if (Buffer.byteLength(value) <= VALUE_BYTES_MAX) continue;
      throw invalidField(`/body/values/${pointerToken(name)}`, "maxLength", "must be at most 32 KiB in UTF-8");
    }
    return compareEnv(app, {
      actor: actorOf(request),
      key: projectKeyOf(request, request.params.project_id),
      proof: loginProofOf(request, proof),
      environment,
      values,
    });
  },
});

/** Throws `validation_error` without a mode, because a project is found only in its mode. */
function requireMode(request: FastifyRequest): void {
  if (requestedMode(request) === null) throw invalidField("/headers/x-svc-mode", "required", "must be live or test");
}
