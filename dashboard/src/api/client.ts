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
  const isWrite = request.method === "POST" || request.method === "PATCH";
  // The same key for all attempts: a repeated call does its work once.
  if (isWrite && !request.headers.has("idempotency-key")) {
    request.headers.set("idempotency-key", crypto.randomUUID());
  }
  const path = new URL(request.url).pathname.slice(PREFIX.length);
  let response = await attempt(request);
  if (response.status === 401 && !WITHOUT_SESSION.test(path)) {
    await renewSession(path);
    response = await attempt(request);
  }
  if (!response.ok) throw await errorOf(response);
  return response;
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
  } catch {
    serverState.set("unreachable");
    throw new RequestError(0, {
      code: UNREACHABLE as never,
      detail: "The server cannot be reached. Check your connection. Nothing was lost: try again.",
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
