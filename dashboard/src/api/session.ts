import { createStore } from "../ui/store.ts";

/**
 * What the pages know of the session. The session itself is in HttpOnly cookies, which no script can read. `ended`: the server
 * rejected the cookies, and a dialog asks to sign in again.
 */
export const sessionState = createStore<"unknown" | "active" | "ended">("unknown");

/** Whether the last request reached the server. */
export const serverState = createStore<"reachable" | "unreachable">("reachable");

/** The mode of this tab, which is in the URL of its page. Each tab has its own. */
export const modeState = createStore<"test" | "live">("test");

let refreshing: Promise<boolean> | undefined;

/** Gets a new access cookie with the refresh cookie. Returns false if the session has ended. Callers share one request. */
export function refreshSession(): Promise<boolean> {
  refreshing ??= fetch("/api/v1/svc/developers/token/refresh", { method: "POST" })
    .then(({ ok }) => ok)
    .finally(() => {
      refreshing = undefined;
    });
  return refreshing;
}

const waiting = new Set<() => void>();

/** Resolves when the user has signed in again. */
export function untilSignedIn(): Promise<void> {
  sessionState.set("ended");
  return new Promise((resolve) => waiting.add(resolve));
}

/** Continues the requests that wait for a new session. */
export function signedIn(): void {
  sessionState.set("active");
  for (const resolve of waiting) resolve();
  waiting.clear();
}
