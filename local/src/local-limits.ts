import { readLimits } from "@purser/service/config/limits.ts";
import { createReader, type Environment } from "@purser/service/config/reader.ts";
import { StartError } from "./start-error.ts";

export type LocalLimits = ReturnType<typeof readLocalLimits>;

/**
 * The limits of the local profile, as the environment sets them. Nothing else of the service's configuration is taken from
 * there: who runs `npm start` may have another Purser's addresses and keys in it. Throws StartError naming what is wrong.
 */
export function readLocalLimits(environment: Environment) {
  const problems: string[] = [];
  const read = createReader(environment, problems);
  const limits = {
    ...readLimits(read, "local"),
    exemptLoopback: read.oneOf("PURSER_EXEMPT_LOOPBACK", ["no", "yes"], "yes") === "yes",
  };
  if (problems.length > 0) throw new StartError(problems.join("\n"));
  return limits;
}
