import { isUniqueViolation } from "../../db/errors.ts";
import { AppError } from "../../foundation/errors.ts";
import { withoutIgnorable } from "../../foundation/text/display-text.ts";

const SLUG_LENGTH_MAX = 63;

/**
 * Converts the name to lowercase and to one Unicode encoding of accents (NFC), without characters that are not
 * displayed. Project names must be unique in this form.
 */
export function nameKeyOf(name: string): string {
  return withoutIgnorable(name).normalize("NFC").toLowerCase();
}

/** Converts the name to a DNS label: `Müller & Söhne` becomes `muller-sohne`. The result is not unique. */
export function slugOf(name: string): string {
  const words = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const slug = (words ?? []).join("-").slice(0, SLUG_LENGTH_MAX).replace(/-$/, "");
  return slug === "" ? "project" : slug;
}

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
