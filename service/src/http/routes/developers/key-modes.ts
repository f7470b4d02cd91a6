import type { Mode } from "../../../foundation/vocabulary.ts";
import type { Principal } from "../../auth/principal.ts";

/** Of which modes a caller sees keys: live and dashboard callers of both, test callers of test (contract, ruling 3). */
export function keyModesOf(principal: Principal): readonly Mode[] {
  return principal.kind === "api_key" && principal.mode === "test" ? ["test"] : ["live", "test"];
}
