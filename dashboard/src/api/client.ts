import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import createFetchClient from "openapi-fetch";
import createQueryHooks from "openapi-react-query";
import type { paths } from "./api-types.ts";
import { isUnreachable, RequestError, UNREACHABLE } from "./problem.ts";
import { modeState, refreshSession, serverState, untilSignedIn } from "./session.ts";

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
 * Sends a request in the mode of this tab. If the access cookie has expired, gets a new one and sends the request again. If the
 * session has ended, waits until the user has signed in again: what they had typed is not lost.
 */
async function send(request: Request): Promise<Response> {
  if (!request.headers.has("x-svc-mode")) request.headers.set("x-svc-mode", modeState.get());
  const settle = await addIdempotencyKey(request);
  const path = new URL(request.url).pathname.slice(PREFIX.length);
  let response = await attempt(request);
  if (response.status === 401 && !WITHOUT_SESSION.test(path)) {
    await renewSession(path);
    response = await attempt(request);
  }
  const error = response.ok ? undefined : await errorOf(response);
  if (error === undefined || isOutcome(error)) settle();
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
  const sent = [request.method, request.url, request.headers.get("x-svc-mode"), await request.clone().text()].join(
    "\n",
  );
  const atMs = Date.now();
  const former = unsettledKeys.get(sent);
  const key = former !== undefined && atMs - former.atMs < UNSETTLED_MS ? former.key : crypto.randomUUID();
  request.headers.set("idempotency-key", key);
  if (unsettledKeys.size >= UNSETTLED_KEYS_MAX) unsettledKeys.clear();
  unsettledKeys.set(sent, { key, atMs: former?.key === key ? former.atMs : atMs });
  return () => unsettledKeys.delete(sent);
}

/** Gets a new access cookie. If there is none, waits until the user has signed in again. */
async function renewSession(path: string): Promise<void> {
  const isRefreshed = !BY_ADMIN.test(path) && (await refreshSession());
  if (!isRefreshed && !PROFILES.includes(path)) await untilSignedIn();
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
  const requestId = response.headers.get("x-request-id") ?? undefined;
  const body: unknown = await response.json().catch(() => ({}));
  const problem = typeof body === "object" && body !== null ? body : {};
  return new RequestError(response.status, { ...(requestId !== undefined && { request_id: requestId }), ...problem });
}

/** Whether a read is tried again: if the server is away or busy. Writes are never repeated without the user. */
function isTransient(error: unknown): boolean {
  return isUnreachable(error) || (error instanceof RequestError && (error.status === 503 || error.status === 429));
}

/** Returns the cache of one mode. Objects of the other mode are absent, so the modes share nothing. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache(),
    mutationCache: new MutationCache(),
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
