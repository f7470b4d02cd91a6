import type { Tx } from "../../db/database.ts";
import { AppError } from "../../foundation/errors.ts";
import type { FoundProject } from "../projects/queries.ts";
import { measureLargestBundle } from "./queries.ts";

const BUNDLE_BYTES_MAX = 1024n * 1024n;

/**
 * Throws `conflict` if one of the project's env bundles is larger than 1 MiB. Call it after storing the new variables,
 * in the transaction that locked the project. `expectedBytes` is added for variables that will be stored later.
 */
export async function throwIfBundleTooLarge(tx: Tx, project: FoundProject, expectedBytes = 0n): Promise<void> {
  const bytes = await measureLargestBundle(tx, project);
  if (bytes + expectedBytes <= BUNDLE_BYTES_MAX) return;
  throw new AppError("conflict", {
    detail:
      "An environment can have at most 1 MiB of variables, including those of its services. Delete variables first, or set large ones in fewer environments.",
  });
}
