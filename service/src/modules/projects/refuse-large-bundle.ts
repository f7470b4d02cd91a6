import type { Tx } from "../../db/database.ts";
import { AppError } from "../../foundation/errors.ts";
import { measureLargestBundle } from "./bundle/queries.ts";
import type { FoundProject } from "./queries.ts";

const BUNDLE_BYTES_MAX = 1024n * 1024n;

/**
 * Refuses to make a bundle larger than what is built and sent for each pull. Asked within the transaction that holds the
 * project locked, after its write; `expectedBytes` is what will be added later. A pull is never refused for its size.
 */
export async function refuseLargeBundle(
  tx: Tx,
  project: FoundProject,
  expectedBytes = 0n,
): Promise<void> {
  const bytes = await measureLargestBundle(tx, project);
  if (bytes + expectedBytes <= BUNDLE_BYTES_MAX) return;
  throw new AppError("conflict", {
    detail:
      "An environment holds at most 1 MiB of variables, those of its services included. Delete some first, or set large ones in fewer environments.",
  });
}
