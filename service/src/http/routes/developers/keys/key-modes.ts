import type { FastifyRequest } from "fastify";
import { invalidField } from "../../../../foundation/errors.ts";
import type { Mode } from "../../../../foundation/vocabulary.ts";
import { requestedMode } from "../../../auth/dashboard-session.ts";
import type { Principal } from "../../../auth/principal.ts";
import { countHeader } from "../../../auth/request-headers.ts";

/** Of which modes a caller sees keys: live and dashboard callers of both, test callers of test (contract, ruling 3). */
export function keyModesOf(principal: Principal): readonly Mode[] {
  return principal.kind === "api_key" && principal.mode === "test" ? ["test"] : ["live", "test"];
}

/** The mode that a dashboard call names for the key that it makes, and live where it names none (contract, ruling 10). */
export function namedModeOrLive(request: FastifyRequest): Mode {
  if (countHeader(request, "x-svc-mode") === 0) return "live";
  const mode = requestedMode(request);
  if (mode !== null) return mode;
  throw invalidField("/headers/x-svc-mode", "enum", "must be live or test");
}
