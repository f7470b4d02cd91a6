import type { FastifyRequest } from "fastify";
import { invalidField } from "../../../../foundation/errors.ts";
import type { Mode } from "../../../../foundation/vocabulary.ts";
import { requestedMode } from "../../../auth/dashboard-session.ts";
import type { Principal } from "../../../auth/principal.ts";
import { countHeader } from "../../../auth/request-headers.ts";

/**
 * The modes of the keys that a caller sees: live keys and dashboard sessions both, test keys `test` (docs/api.md,
 * section 8).
 */
export function keyModesOf(principal: Principal): readonly Mode[] {
  return principal.kind === "api_key" && principal.mode === "test" ? ["test"] : ["live", "test"];
}

/** The mode of the key that a dashboard call issues: `X-Svc-Mode`, or `live` without it (docs/api.md, section 8). */
export function namedModeOrLive(request: FastifyRequest): Mode {
  if (countHeader(request, "x-svc-mode") === 0) return "live";
  const mode = requestedMode(request);
  if (mode !== null) return mode;
  throw invalidField("/headers/x-svc-mode", "enum", "must be live or test");
}
