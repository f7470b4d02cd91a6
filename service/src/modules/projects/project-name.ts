const SLUG_LENGTH_MAX = 63;

/** The name as it must be unique: without regard to case, nor to how its accents are encoded. */
export function nameKeyOf(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/** The name as a host, a file or a prefix can carry it: `Müller & Söhne` is `muller-sohne`. Not unique. */
export function slugOf(name: string): string {
  const words = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const slug = (words ?? []).join("-").slice(0, SLUG_LENGTH_MAX).replace(/-$/, "");
  return slug === "" ? "project" : slug;
}
