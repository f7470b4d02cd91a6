import { type Static, type TSchema, Type } from "typebox";
import { Check } from "typebox/value";
import { invariant } from "../../foundation/invariant.ts";
import { NO_RETRY, RETRY_WITHIN_REQUEST, type RetryPolicy, retry } from "../../foundation/retry.ts";
import { observedCall } from "../../foundation/telemetry/activities.ts";
import { parseJson } from "../../foundation/text.ts";
import { isFailure, VendorError, type VendorFailure } from "../../ports/vendor-error.ts";
import { boundedFetch, ResponseTooLongError } from "./bounded-fetch.ts";
import { safeVendorCode, safeVendorMessage } from "./vendor-error-text.ts";

const TIMEOUT_MS = 10_000;
const RETRY_AFTER_SECONDS_MAX = 86_400;

/** An id that a vendor gave. */
export const VendorId = Type.String({ pattern: "^[^\\x00]{1,255}$" });

/** Identifies Purser in the User-Agent header of vendor calls. */
export const USER_AGENT_PRODUCT = {
  name: "purser",
  version: "0.1.0",
  url: "https://purser.dev",
} as const;
export const USER_AGENT = `${USER_AGENT_PRODUCT.name}/${USER_AGENT_PRODUCT.version} (+${USER_AGENT_PRODUCT.url})`;

/** Node and undici error codes for a failed connection, where no part of the request was sent. */
const NOT_CONNECTED: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

export interface VendorClientOptions {
  readonly vendor: string;
  /** The vendor API's scheme, host and path prefix. No trailing slash. */
  readonly baseUrl: string;
  /** Timeout for one call in milliseconds, including retries and reading the response. */
  readonly timeoutMs?: number | undefined;
  /**
   * How GET calls are retried within the timeout. Other calls are not retried, because a write must not be repeated
   * before its effect has been checked.
   */
  readonly readRetry: RetryPolicy;
  /** A longer response is not usable. Default: 1 MiB. */
  readonly responseBytesMax?: number;
  /** Redacted from all error messages, for example the key in the base URL. */
  readonly secrets?: readonly string[];
}

export interface VendorCall<Schema extends TSchema> {
  /** The call's name in the vendor's API description, for example `createProject`. */
  readonly operation: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Use `pathOf` for paths with ids. */
  readonly path: string;
  /** Undefined values are omitted. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
  /** Sent as a form. Cannot be combined with `body`. */
  readonly form?: Readonly<Record<string, string>>;
  /** Strings to redact from errors, in addition to the credentials in the `authorization` header. */
  readonly secrets?: readonly string[];
  /** The fields that Purser uses from a successful response. A response without a body is validated as `undefined`. */
  readonly schema: Schema;
}

/**
 * A client for a vendor's HTTP API. Throws only `VendorError`. The failure of a GET is never `unknown`, because a GET
 * has no effect.
 */
export interface VendorClient {
  readonly vendor: string;
  /** Redacted from all error messages. */
  readonly secrets?: readonly string[];
  call<Schema extends TSchema>(call: VendorCall<Schema>): Promise<Static<Schema>>;
}

/** Creates a client that calls a vendor with `fetch`, and follows no redirects. */
export function createVendorClient(options: VendorClientOptions): VendorClient {
  const { vendor, timeoutMs = TIMEOUT_MS, secrets = [] } = options;
  return {
    ...{ vendor, secrets },
    call: (wanted) => {
      const call = { ...wanted, secrets: [...secrets, ...(wanted.secrets ?? [])] };
      const signal = AbortSignal.timeout(timeoutMs);
      const attempt = () => observedCall(vendor, call.operation, () => attemptCall(options, call, signal));
      return retry(attempt, call.method === "GET" ? options.readRetry : NO_RETRY, {
        isWorthRetrying,
        requestedPauseMs: retryAfterMs,
        withinMs: timeoutMs,
      });
    },
  };
}

/**
 * Creates the clients for a provider. `requestClient` repeats reads, because a request waits. Sagas use `client`, which does
 * not repeat calls, because sagas repeat failed calls themselves.
 */
export function createProviderClients(options: Omit<VendorClientOptions, "readRetry">) {
  return {
    requestClient: createVendorClient({ ...options, readRetry: RETRY_WITHIN_REQUEST }),
    client: createVendorClient({ ...options, readRetry: NO_RETRY }),
  };
}

type Send = <Schema extends TSchema>(
  operation: string,
  path: string,
  schema: Schema,
  content?: Pick<VendorCall<Schema>, "query" | "body" | "form" | "secrets">,
) => Promise<Static<Schema>>;

/** The calls of one caller, who is identified by the same headers in each. */
export interface VendorApi extends Readonly<Record<"get" | "post" | "patch" | "delete", Send>> {
  /** An error about a response that cannot be used, or about a call that is not made. */
  readonly error: (failure: VendorFailure, operation: string, vendorMessage: string) => VendorError;
  /** Throws `unknown` if the response refers to a different object from the one requested. */
  readonly expectMatch: (
    operation: string,
    pairs: readonly (readonly [received: unknown, requested: unknown])[],
  ) => void;
}

export function vendorApi(client: VendorClient, headers: Readonly<Record<string, string>> = {}): VendorApi {
  const sender =
    (method: VendorCall<TSchema>["method"]): Send =>
    (operation, path, schema, content) =>
      client.call({ operation, method, path, headers, schema, ...content });
  const error: VendorApi["error"] = (failure, operation, vendorMessage) =>
    new VendorError(failure, { vendor: client.vendor, operation, vendorMessage });
  return {
    get: sender("GET"),
    post: sender("POST"),
    patch: sender("PATCH"),
    delete: sender("DELETE"),
    error,
    expectMatch: (operation, pairs) => {
      if (pairs.every(([received, requested]) => received === requested)) return;
      throw error("unknown", operation, "the response describes a different object");
    },
  };
}

export function bearer(accessToken: string): { readonly authorization: string } {
  return { authorization: `Bearer ${accessToken}` };
}

function isWorthRetrying(error: unknown): boolean {
  return isFailure(error, "unavailable") || isFailure(error, "rate_limited");
}

/** Returns the delay from the vendor's Retry-After header in milliseconds, or null if there is none. */
export function retryAfterMs(error: unknown): number | null {
  const seconds = error instanceof VendorError ? error.retryAfterSeconds : undefined;
  return seconds === undefined ? null : seconds * 1_000;
}

/**
 * Encodes each id as one path segment, for example pathOf`/projects/${projectId}`. Throws if an id is empty, `.` or
 * `..`, because the path would then refer to a different resource.
 */
export function pathOf(parts: TemplateStringsArray, ...ids: readonly string[]): string {
  const segments = ids.map((id) => {
    invariant(id !== "" && id !== "." && id !== "..", "an id is a segment of a path");
    return encodeURIComponent(id);
  });
  return String.raw({ raw: parts }, ...segments);
}

/** NUL in a JSON string. PostgreSQL cannot store it. */
const NUL = /(?<!\\)(?:\\\\)*\\u0000/;

interface VendorResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined if there is no body, or if the body is not JSON or is too long, or contains NUL in a success. */
  readonly body: unknown;
}

async function attemptCall<Schema extends TSchema>(
  options: VendorClientOptions,
  call: VendorCall<Schema>,
  signal: AbortSignal,
): Promise<Static<Schema>> {
  const { vendor } = options;
  const response = await send(options, call, signal);
  const { status, body } = response;
  if (status < 200 || status > 299) throw errorOf(vendor, call, response);
  if (!Check(call.schema, body)) {
    throw new VendorError(failureWithoutResponse(call), {
      vendor,
      operation: call.operation,
      vendorMessage: `${status} with a response of an unexpected shape`,
    });
  }
  return body;
}

async function send(
  options: VendorClientOptions,
  call: VendorCall<TSchema>,
  signal: AbortSignal,
): Promise<VendorResponse> {
  const { vendor, baseUrl, responseBytesMax } = options;
  const { operation } = call;
  const headers = headersOf(call);
  if (headers === undefined) throw new VendorError("unauthorized", { vendor, operation });
  const body = bodyOf(call);

  try {
    const init = { method: call.method, headers, signal, ...(body === undefined ? {} : { body }) };
    const response = await boundedFetch(urlOf(baseUrl, call), init, responseBytesMax);
    const text = await response.text().catch((error: unknown) => {
      if (error instanceof ResponseTooLongError) return undefined;
      throw error;
    });
    // Error messages are made storable later.
    const isUnusable = response.ok && NUL.test(text ?? "");
    return {
      status: response.status,
      headers: response.headers,
      body: isUnusable || text === undefined ? undefined : parseJson(text),
    };
  } catch (cause) {
    throw new VendorError(wasNotSent(cause) ? "unavailable" : failureWithoutResponse(call), {
      vendor,
      operation,
      cause,
    });
  }
}

/**
 * Returns the request's headers, or undefined if a value is invalid, for example a pasted token with a line break. An
 * invalid value is not passed to `fetch`, because the error message of `fetch` would contain the value.
 */
function headersOf({ headers, body, form }: VendorCall<TSchema>): Headers | undefined {
  try {
    const sent = new Headers({ accept: "application/json", ...headers });
    sent.set("user-agent", USER_AGENT);
    if (body !== undefined) sent.set("content-type", "application/json");
    if (form !== undefined) sent.set("content-type", "application/x-www-form-urlencoded");
    return sent;
  } catch {
    return undefined;
  }
}

function bodyOf({ body, form }: VendorCall<TSchema>): string | undefined {
  if (form !== undefined) return new URLSearchParams(form).toString();
  return body === undefined ? undefined : JSON.stringify(body);
}

function urlOf(baseUrl: string, { path, query = {} }: VendorCall<TSchema>): URL {
  const url = new URL(baseUrl + path);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url;
}

function wasNotSent(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.cause instanceof Error &&
    "code" in error.cause &&
    NOT_CONNECTED.has(error.cause.code)
  );
}

/**
 * Returns the failure to report if a call received no usable response. A GET has no effect, so its failure is never
 * `unknown`.
 */
function failureWithoutResponse({ method }: VendorCall<TSchema>): VendorFailure {
  return method === "GET" ? "unavailable" : "unknown";
}

function errorOf(vendor: string, call: VendorCall<TSchema>, response: VendorResponse): VendorError {
  const secrets = secretsOf(call);
  const { code, message } = errorTextOf(response.body, secrets);
  const retryAfterSeconds = retryAfterSecondsOf(response.headers);
  return new VendorError(failureOf(response.status, call), {
    vendor,
    operation: call.operation,
    vendorMessage: `${response.status}${message === undefined ? "" : ` ${safeVendorMessage(message, secrets)}`}`,
    ...(code === undefined ? {} : { vendorCode: code }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

function failureOf(status: number, call: VendorCall<TSchema>): VendorFailure {
  if (status === 401 || status === 403) return "unauthorized";
  if (status === 404 || status === 410) return "not_found";
  // Neon responds 423 while another operation on the same project is running.
  if (status === 429 || status === 423) return "rate_limited";
  // 408 does not mean `refused`: a proxy can send it even though the server behind the proxy executed the call.
  if (status >= 400 && status < 500 && status !== 408) return "refused";
  return failureWithoutResponse(call);
}

/**
 * Reads the code and message of an error response in a vendor's format or the OAuth format (RFC 6749, section 5.2). Some
 * vendors put both into an object `error`. Plaid calls them `error_code` and `error_message`.
 */
function errorTextOf(body: unknown, secrets: readonly string[]): { readonly code?: string; readonly message?: string } {
  const { code, error, message, error_description, error_code, error_message }: Record<string, unknown> = Object(body);
  const inner: Record<string, unknown> = Object(error);
  const safeCode = safeVendorCode([code, error, inner["code"], error_code], secrets);
  const texts = [message, error_description, error, inner["message"], error_message];
  const text = texts.find((value) => typeof value === "string");
  return {
    ...(safeCode === undefined ? {} : { code: safeCode }),
    ...(typeof text === "string" ? { message: text } : {}),
  };
}

/** Returns the call's credentials, to be redacted from error messages. */
function secretsOf({ headers, secrets = [] }: VendorCall<TSchema>): readonly string[] {
  const credential = new Headers(headers).get("authorization")?.split(" ").at(-1) ?? "";
  return [credential, ...secrets];
}

/**
 * Returns Retry-After in seconds. A date is compared with the response's Date header, which uses the vendor's clock.
 */
export function retryAfterSecondsOf(headers: Headers): number | undefined {
  const value = headers.get("retry-after") ?? "";
  const seconds = /^\d{1,9}$/.test(value)
    ? Number(value)
    : Math.ceil((Date.parse(value) - Date.parse(headers.get("date") ?? "")) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(0, seconds), RETRY_AFTER_SECONDS_MAX);
}
