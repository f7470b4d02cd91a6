export const VERSION = "0.1d";
const TIMEOUT_MS = 10_000;

export interface KitAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the kit checks the shape of what a provider sends.
  readonly body: any;
}

export interface KitCall {
  readonly token?: string;
  readonly version?: string | undefined;
  readonly body?: object;
  readonly form?: Readonly<Record<string, string>>;
}

/** Calls the provider. Follows no redirects. Throws an error with a plain message if it does not respond with JSON. */
export async function callProvider(
  baseUrl: string,
  method: "GET" | "POST",
  path: string,
  { token, version = VERSION, body, form }: KitCall = {},
): Promise<KitAnswer> {
  const sent = form === undefined ? body && JSON.stringify(body) : new URLSearchParams(form);
  const response = await fetch(baseUrl + path, {
    method,
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      accept: "application/json",
      "api-version": version,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(sent !== undefined && { body: sent }),
  }).catch(() => undefined);
  if (response === undefined) throw new Error(`${method} ${path} got no response.`);
  const text = await response.text();
  try {
    return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
  } catch {
    throw new Error(`${method} ${path} answered ${response.status} without JSON.`);
  }
}
