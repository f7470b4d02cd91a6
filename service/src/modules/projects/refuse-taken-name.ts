import { isUniqueViolation } from "../../db/errors.ts";
import { AppError } from "../../foundation/errors.ts";

/** Runs a change of names. The index decides who has a name, so that two who ask at once cannot both be told that it is free. */
export async function refuseTakenName<Result>(change: () => Promise<Result>): Promise<Result> {
  try {
    return await change();
  } catch (thrown) {
    if (!isUniqueViolation(thrown, "project_name_taken")) throw thrown;
    throw new AppError("already_exists", {
      detail: "There is a project of this name already.",
      errors: [{ pointer: "/body/name", code: "taken", detail: "is the name of another project" }],
    });
  }
}
