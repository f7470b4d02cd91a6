import type { VendorRoute } from "../kit/vendor-simulator.ts";
import { agenticError } from "./agentic-errors.ts";

/** The only version of the protocol that the simulators know. */
export const API_VERSION = "0.1d";

/** Rejects a call with another version of the protocol, or without one. */
export function versioned(handle: VendorRoute["handle"]): VendorRoute["handle"] {
  return async (request, context) =>
    request.headers["api-version"] === API_VERSION
      ? handle(request, context)
      : agenticError(400, "unsupported_version", `API-Version must be ${API_VERSION}.`);
}
