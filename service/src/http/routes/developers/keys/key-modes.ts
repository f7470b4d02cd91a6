import type { FastifyRequest } from "fastify";
import { invalidField } from "../../../../foundation/errors.ts";
import type { Mode } from "../../../../foundation/vocabulary.ts";
import { requestedMode } from "../../../auth/dashboard-session.ts";
import type { Principal } from "../../../auth/principal.ts";
import { countHeader } from "../../../auth/request-headers.ts";

/**
 * Returns the modes of the keys that the caller can access: both modes for live keys and dashboard sessions, only
 * `test` for test keys (docs/api.md, section 8).
 */
export function keyModesOf(principal: Principal): readonly Mode[] {
  return principal.kind === "api_key" && principal.mode === "test" ? ["test"] : ["live", "test"];
}

/**
 * Returns the mode of an API key that is issued with a dashboard session: the value of the `X-Svc-Mode` header, or
 * `live` if the header is missing (docs/api.md, section 8). Throws `validation_error` if the value is not a mode.
 */
export function requestedModeOrLive(request: FastifyRequest): Mode {
  if (countHeader(request, "x-svc-mode") === 0) return "live";
  const mode = requestedMode(request);
  if (mode !== null) return mode;
  throw invalidField("/headers/x-svc-mode", "enum", "must be live or test");
}
