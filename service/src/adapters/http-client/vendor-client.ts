import type { Static, TSchema } from "typebox";
import { Check } from "typebox/value";
import { invariant } from "../../foundation/invariant.ts";
import { NO_RETRY, type RetryPolicy, retry } from "../../foundation/retry.ts";
import { VendorError, type VendorFailure } from "../../ports/vendor-error.ts";
import { ANSWER_BYTES_MAX } from "./bounded-fetch.ts";
import { safeVendorCode, safeVendorMessage } from "./vendor-error-text.ts";

const TIMEOUT_MS = 10_000;
const RETRY_AFTER_SECONDS_MAX = 86_400;

/** Who we are to a vendor. */
export const USER_AGENT_PRODUCT = {
  name: "purser",
  version: "0.1.0",
  url: "https://purser.dev",
} as const;
export const USER_AGENT = `${USER_AGENT_PRODUCT.name}/${USER_AGENT_PRODUCT.version} (+${USER_AGENT_PRODUCT.url})`;

/** Codes of Node and undici for a connection that was never there: nothing of the request has left. */
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
  /** Scheme, host and whatever stands before the paths of the vendor's description. No trailing slash. */
  readonly baseUrl: string;
  /** How long one call may take, repeated reads and the reading of the answer included. */
  readonly timeoutMs?: number;
  /** For reads only, within the timeout: whoever asks for an effect has to look first whether it happened. */
  readonly readRetry: RetryPolicy;
  readonly userAgent?: string;
}

export interface VendorCall<Schema extends TSchema> {
  /** By its name in the vendor's own description: `createProject`. */
  readonly operation: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Made with `pathOf`, where ids stand in it. */
  readonly path: string;
  /** What is undefined is left out. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
  /** Sent as a form, instead of a body. */
  readonly form?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** What must not come back in an error's text, besides the credentials of the `authorization` header. */
  readonly secrets?: readonly string[];
  /** What is read of a good answer, and nothing more. An answer without a body is `undefined` to it. */
  readonly schema: Schema;
}

/** A vendor's HTTP API. Throws `VendorError`, and nothing else; of a GET its failure is never `unknown`. */
export interface VendorClient {
  call<Schema extends TSchema>(call: VendorCall<Schema>): Promise<Static<Schema>>;
}

/** Calls a vendor over the platform's `fetch`. Follows no redirect and reads no answer beyond 1 MiB. */
export function createVendorClient(options: VendorClientOptions): VendorClient {
  return {
    call: (call) => {
      const timeoutMs = call.timeoutMs ?? options.timeoutMs ?? TIMEOUT_MS;
      const signal = AbortSignal.timeout(timeoutMs);
      return retry(
        () => attemptCall(options, call, signal),
        call.method === "GET" ? options.readRetry : NO_RETRY,
        { isWorthRetrying, askedMs, withinMs: timeoutMs },
      );
    },
  };
}

function isWorthRetrying(error: unknown): boolean {
  return (
    error instanceof VendorError &&
    (error.failure === "unavailable" || error.failure === "rate_limited")
  );
}

/** How long the vendor wants to be left alone, by its own word. */
export function askedMs(error: unknown): number | null {
  const seconds = error instanceof VendorError ? error.retryAfterSeconds : undefined;
  return seconds === undefined ? null : seconds * 1_000;
}

/**
 * A path with each id as one segment of it: pathOf`/projects/${projectId}`. An id that cannot be one (empty, `.` or `..`)
 * is a bug of the caller's.
 */
export function pathOf(parts: TemplateStringsArray, ...ids: readonly string[]): string {
  const segments = ids.map((id) => {
    invariant(id !== "" && id !== "." && id !== "..", "an id is a segment of a path");
    return encodeURIComponent(id);
  });
  return String.raw({ raw: parts }, ...segments);
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined where there is no body, or none that is JSON within the bound. */
  readonly body: unknown;
}

async function attemptCall<Schema extends TSchema>(
  options: VendorClientOptions,
  call: VendorCall<Schema>,
  signal: AbortSignal,
): Promise<Static<Schema>> {
  const { vendor } = options;
  const answer = await send(options, call, signal);
  const { status, body } = answer;
  if (status < 200 || status > 299) throw refusal(vendor, call, answer);
  if (!Check(call.schema, body)) {
    throw new VendorError(silenceOf(call), {
      vendor,
      operation: call.operation,
      vendorMessage: `${status} with an answer of another shape than asked for`,
    });
  }
  return body;
}

async function send(
  options: VendorClientOptions,
  call: VendorCall<TSchema>,
  signal: AbortSignal,
): Promise<Answer> {
  const { vendor, baseUrl } = options;
  const { operation } = call;
  const headers = headersOf(options, call);
  if (headers === undefined) throw new VendorError("unauthorized", { vendor, operation });
  const body = bodyOf(call);

  try {
    const response = await fetch(addressOf(baseUrl, call), {
      method: call.method,
      headers,
      redirect: "manual",
      signal,
      ...(body === undefined ? {} : { body }),
    });
    const text = await readBounded(response);
    return { status: response.status, headers: response.headers, body: parse(text) };
  } catch (cause) {
    throw new VendorError(neverSent(cause) ? "unavailable" : silenceOf(call), {
      vendor,
      operation,
      cause,
    });
  }
}

/** Undefined where a header cannot be sent as it is, such as a pasted token with a line break: the platform would quote it. */
function headersOf(
  { userAgent }: VendorClientOptions,
  { headers, body, form }: VendorCall<TSchema>,
): Headers | undefined {
  try {
    const sent = new Headers({ accept: "application/json", ...headers });
    sent.set("user-agent", userAgent ?? USER_AGENT);
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

function addressOf(baseUrl: string, { path, query = {} }: VendorCall<TSchema>): URL {
  const address = new URL(baseUrl + path);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) address.searchParams.set(name, value);
  }
  return address;
}

/** The body's text, or undefined where it is longer than the bound: the rest is not waited for. */
async function readBounded(response: Response): Promise<string | undefined> {
  if (response.body === null) return undefined;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop cancels the stream.
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > ANSWER_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parse(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function neverSent(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.cause instanceof Error &&
    "code" in error.cause &&
    NOT_CONNECTED.has(error.cause.code)
  );
}

/** What it means that nothing was learnt from the vendor. */
function silenceOf({ method }: VendorCall<TSchema>): VendorFailure {
  return method === "GET" ? "unavailable" : "unknown";
}

function refusal(vendor: string, call: VendorCall<TSchema>, answer: Answer): VendorError {
  const secrets = secretsOf(call);
  const { code, message } = toldBy(answer.body, secrets);
  const retryAfterSeconds = retryAfterSecondsOf(answer.headers);
  return new VendorError(failureOf(answer.status, call), {
    vendor,
    operation: call.operation,
    vendorMessage: `${answer.status}${message === undefined ? "" : ` ${safeVendorMessage(message, secrets)}`}`,
    ...(code === undefined ? {} : { vendorCode: code }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

function failureOf(status: number, call: VendorCall<TSchema>): VendorFailure {
  if (status === 401 || status === 403) return "unauthorized";
  if (status === 404 || status === 410) return "not_found";
  // 423 is how Neon says that another operation on the same project is still under way.
  if (status === 429 || status === 423) return "rate_limited";
  // A proxy answers 408, as it does 504, for a server behind it that may have been at work all the while.
  if (status >= 400 && status < 500 && status !== 408) return "refused";
  return silenceOf(call);
}

/** The code and the sentence in the envelopes that vendors use, OAuth's (RFC 6749, 5.2) among them. */
function toldBy(
  body: unknown,
  secrets: readonly string[],
): { readonly code?: string; readonly message?: string } {
  const { code, error, message, error_description }: Record<string, unknown> = Object(body);
  const told = safeVendorCode([code, error], secrets);
  const sentence = [message, error_description, error].find((value) => typeof value === "string");
  return {
    ...(told === undefined ? {} : { code: told }),
    ...(typeof sentence === "string" ? { message: sentence } : {}),
  };
}

/** The credentials of the call, which vendors repeat. */
function secretsOf({ headers, secrets = [] }: VendorCall<TSchema>): readonly string[] {
  const credential = new Headers(headers).get("authorization")?.split(" ").at(-1) ?? "";
  return [credential, ...secrets];
}

/** Retry-After in seconds, from now where it is a date: the answer's own Date says when that is by the vendor's clock. */
function retryAfterSecondsOf(headers: Headers): number | undefined {
  const value = headers.get("retry-after") ?? "";
  const seconds = /^\d{1,9}$/.test(value)
    ? Number(value)
    : Math.ceil((Date.parse(value) - Date.parse(headers.get("date") ?? "")) / 1000);
  return Number.isNaN(seconds)
    ? undefined
    : Math.min(Math.max(0, seconds), RETRY_AFTER_SECONDS_MAX);
}
