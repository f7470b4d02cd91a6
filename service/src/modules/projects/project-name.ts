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
