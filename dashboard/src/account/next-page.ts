const KEY = "purser.next";
const HOME = "/dashboard";

/** Returns a path of this site that a login can lead to, or undefined. A URL from elsewhere must not lead to another site. */
function safePath(path: string | undefined | null): string | undefined {
  return path && /^\/(dashboard|device)([/?].*)?$/.test(path) && !path.includes("\\") ? path : undefined;
}

/** Keeps the page that asked for the login in this tab, because the login can lead through a provider's pages. */
export function rememberNext(path: string | undefined): void {
  const safe = safePath(path);
  if (safe !== undefined) sessionStorage.setItem(KEY, safe);
}

/** Returns the page that asked for the login, once. */
export function takeNext(): string {
  const path = safePath(sessionStorage.getItem(KEY)) ?? HOME;
  sessionStorage.removeItem(KEY);
  return path;
}
