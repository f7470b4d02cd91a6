import {
  type Answer,
  ask,
  type KeyPair,
  PREFIX,
  type RetryOptions,
  retryUnavailable,
  signedHeaders,
} from "../signed-client.ts";

/** One request of the table, below the prefix. A form's body is a text, anything else is sent as JSON. */
export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a call as somebody. */
export type Caller = (call: Call) => Promise<Answer>;

/** Without a credential, or with whatever stands in the headers. */
export function anonymous(
  baseUrl: string,
  headers: Readonly<Record<string, string>> = {},
  retry?: RetryOptions,
): Caller {
  return ({ method, path, body, headers: own = {} }) => {
    const send = () =>
      ask(baseUrl + PREFIX + path, {
        method,
        redirect: "manual",
        headers: {
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
          ...own,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    return retryUnavailable(send, retry);
  };
}

export function bearing(baseUrl: string, token: string): Caller {
  return anonymous(baseUrl, { authorization: `Bearer ${token}` });
}

/** Signs as a developer's program does. */
export function signing(baseUrl: string, pair: KeyPair, retry?: RetryOptions): Caller {
  return ({ method, path, body, headers = {} }) => {
    const text = body === undefined ? "" : JSON.stringify(body);
    const send = () =>
      ask(baseUrl + PREFIX + path, {
        method,
        headers: { ...signedHeaders(pair, { method, path, text }), ...headers },
        ...(text !== "" && { body: text }),
      });
    return retryUnavailable(send, retry);
  };
}
