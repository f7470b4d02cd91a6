import { createStore } from "../ui/store.ts";

/**
 * What the pages know of the session. The session itself is in HttpOnly cookies, which no script can read. `ended`: the server
 * rejected the cookies, and a dialog asks to sign in again.
 */
export const sessionState = createStore<"unknown" | "active" | "ended">("unknown");

/** The developer whose data this page shows. Another tab can sign in as someone else, and the cookies are those of the browser. */
export const ownerState = createStore<string | undefined>(undefined);

/** Whether the last request reached the server. */
export const serverState = createStore<"reachable" | "unreachable">("reachable");

/** The mode of this tab, which is in the URL of its page. Each tab has its own. */
export const modeState = createStore<"test" | "live">("test");

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
