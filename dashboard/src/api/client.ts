import { QueryClient } from "@tanstack/react-query";
import createFetchClient from "openapi-fetch";
import createQueryHooks from "openapi-react-query";
import type { paths } from "./api-types.ts";
import { isUnreachable, RequestError, UNREACHABLE } from "./problem.ts";
import { modeState, ownerState, serverState, untilSignedIn } from "./session.ts";

const PREFIX = "/api/v1/svc";

/** The calls that need no session. A 401 of theirs is an answer to the user, not the end of the session. */
const WITHOUT_SESSION =
  /^\/(developers\/(login|signup|captcha|login-options|password|emailed-tokens|verify-email|resend-verification|logout)|admin\/log)/;

/** The calls of admins, whose session cannot be refreshed. */
const BY_ADMIN = /^\/(admin\/|developers\/verify-kyb$)/;

/** The calls with which the pages find out whether there is a session. */
const PROFILES = ["/developers/dashboard/me", "/admin/me"];

/** A typed client of the API. Its calls throw a `RequestError`, so `data` is there if they return. */
export const api = createFetchClient<paths>({ baseUrl: PREFIX, fetch: send });

/** Hooks for the API: `hooks.useQuery("get", "/projects")`. */
export const hooks = createQueryHooks(api);

/**
 * Sends a request in the mode of this tab, as the developer whose data it shows. If the access cookie has expired, gets a new one
 * and sends the request again. If the session has ended, waits until the user has signed in again: what they had typed is not lost.
 */
async function send(request: Request): Promise<Response> {
  if (!request.headers.has("x-svc-mode")) request.headers.set("x-svc-mode", modeState.get());
  const path = new URL(request.url).pathname.slice(PREFIX.length);
  const needsSession = !WITHOUT_SESSION.test(path);
  const owner = ownerState.get();
  if (owner !== undefined && needsSession) request.headers.set("x-svc-developer", owner);
  const settle = await addIdempotencyKey(request);
  let response = await attempt(request);
  if (response.status === 401 && needsSession) {
    await renewSession(path);
    response = await attempt(request);
  }
  const error = response.ok ? undefined : await errorOf(response);
  if (error === undefined || isOutcome(error)) settle();
  // The cookies are now another developer's: nothing that this page knows is theirs.
  if (error?.code === "account_changed") window.location.reload();
  if (error !== undefined) throw error;
  return response;
}

/** The keys of writes whose outcome is unknown, by what was sent. */
const unsettledKeys = new Map<string, { readonly key: string; readonly atMs: number }>();
const UNSETTLED_KEYS_MAX = 100;
/** Later, the same write is a new one: the user has looked what became of the first. */
const UNSETTLED_MS = 10 * 60_000;

/** Whether an error says what became of the call. If not, the first one may have worked, or still runs. */
function isOutcome({ status, code }: RequestError): boolean {
  return status < 500 && status !== 401 && status !== 429 && code !== "idempotency_in_flight";
}

/**
 * Adds an Idempotency-Key to a write. If the same write has been sent before and its answer was lost, the key is that of the
 * former call: when the user tries again, the server returns what the first call did, and does not do it twice. Call the result
 * when the outcome is known.
 */
async function addIdempotencyKey(request: Request): Promise<() => void> {
  if (request.method !== "POST" && request.method !== "PATCH") return () => {};
  const { method, url, headers } = request;
  const sent = [method, url, headers.get("x-svc-mode"), await request.clone().text()].join("\n");
  const nowMs = Date.now();
  const former = unsettledKeys.get(sent);
  const isSame = former !== undefined && nowMs - former.atMs < UNSETTLED_MS;
  const current = isSame ? former : { key: crypto.randomUUID(), atMs: nowMs };
  headers.set("idempotency-key", current.key);
  if (unsettledKeys.size >= UNSETTLED_KEYS_MAX) unsettledKeys.clear();
  unsettledKeys.set(sent, current);
  return () => unsettledKeys.delete(sent);
}

let refreshing: Promise<boolean> | undefined;

/** Gets a new access cookie. If the session has ended, waits until the user has signed in again. Callers share one request. */
async function renewSession(path: string): Promise<void> {
  if (!BY_ADMIN.test(path)) {
    refreshing ??= refresh().finally(() => {
      refreshing = undefined;
    });
    if (await refreshing) return;
  }
  if (!PROFILES.includes(path)) await untilSignedIn();
}

/** Returns false if the session has ended. A server that is busy or away has not ended it. */
async function refresh(): Promise<boolean> {
  const response = await attempt(new Request(`${PREFIX}/developers/token/refresh`, { method: "POST" }));
  if (response.status === 429 || response.status >= 500) throw await errorOf(response);
  return response.ok;
}

async function attempt(request: Request): Promise<Response> {
  try {
    const response = await fetch(request.clone());
    serverState.set("reachable");
    return response;
  } catch (error) {
    // A screen that is left cancels its requests.
    if (request.signal.aborted) throw error;
    serverState.set("unreachable");
    throw new RequestError(0, {
      code: UNREACHABLE as never,
      detail: "The server cannot be reached. Try again: what was done already is not done twice.",
    });
  }
}

async function errorOf(response: Response): Promise<RequestError> {
  const request_id = response.headers.get("x-request-id") ?? undefined;
  const problem: unknown = await response.json().catch(() => ({}));
  return new RequestError(response.status, { ...(request_id && { request_id }), ...Object(problem) });
}

/** Whether a read is tried again: if the server is away or busy. Writes are never repeated without the user. */
function isTransient(error: unknown): boolean {
  return isUnreachable(error) || (error instanceof RequestError && (error.status === 503 || error.status === 429));
}

/** Returns the cache of one mode. Objects of the other mode are absent, so the modes share nothing. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) => isTransient(error) && (isUnreachable(error) || failures < 3),
        retryDelay: (failures) => Math.min(1_000 * 2 ** failures, 8_000),
        networkMode: "always",
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}
