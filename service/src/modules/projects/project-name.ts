const SLUG_LENGTH_MAX = 63;

/** The form of the name that is unique: lower case, with accents in one Unicode encoding (NFC). */
export function nameKeyOf(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/** The name in the form of a DNS label: `Müller & Söhne` becomes `muller-sohne`. Not unique. */
export function slugOf(name: string): string {
  const words = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const slug = (words ?? []).join("-").slice(0, SLUG_LENGTH_MAX).replace(/-$/, "");
  return slug === "" ? "project" : slug;
}
