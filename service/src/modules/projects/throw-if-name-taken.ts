import { isUniqueViolation } from "../../db/errors.ts";
import { AppError } from "../../foundation/errors.ts";

/**
 * Runs `change`, which stores a project's name. Throws `already_exists` if the unique index rejects the name. Checking
 * the name first would not be enough, because a concurrent request could take the name after the check.
 */
export async function throwIfNameTaken<Result>(change: () => Promise<Result>): Promise<Result> {
  try {
    return await change();
  } catch (thrown) {
    if (!isUniqueViolation(thrown, "project_name_taken")) throw thrown;
    throw new AppError("already_exists", {
      detail: "A project with this name already exists. Choose a different name.",
      errors: [{ pointer: "/body/name", code: "taken", detail: "is already the name of another project" }],
    });
  }
}
