import {
  type ApiResponse,
  type KeyPair,
  PREFIX,
  type RetryOptions,
  retryUnavailable,
  sendOnce,
  signedHeaders,
} from "../signed-client.ts";

/** One request. The path is relative to the API prefix. The body is sent as JSON. */
export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends calls with one credential. */
export type Caller = (call: Call) => Promise<ApiResponse>;

/** Returns a caller that adds these headers to every call but does not sign it. */
export function unauthenticatedCaller(
  baseUrl: string,
  headers: Readonly<Record<string, string>> = {},
  retry?: RetryOptions,
): Caller {
  return ({ method, path, body, headers: callHeaders = {} }) => {
    const send = () =>
      sendOnce(baseUrl + PREFIX + path, {
        method,
        redirect: "manual",
        headers: {
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
          ...callHeaders,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    return retryUnavailable(send, retry);
  };
}

export function bearerCaller(baseUrl: string, token: string): Caller {
  return unauthenticatedCaller(baseUrl, { authorization: `Bearer ${token}` });
}

/** Returns a caller that signs its requests with this key pair. */
export function signedCaller(baseUrl: string, pair: KeyPair, retry?: RetryOptions): Caller {
  return ({ method, path, body, headers = {} }) => {
    const text = body === undefined ? "" : JSON.stringify(body);
    const send = () =>
      sendOnce(baseUrl + PREFIX + path, {
        method,
        headers: { ...signedHeaders(pair, { method, path, text }), ...headers },
        ...(text !== "" && { body: text }),
      });
    return retryUnavailable(send, retry);
  };
}
