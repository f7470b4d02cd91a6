/**
 * Sends a request and returns the parsed JSON response, or an empty object if there is none. Throws if the status is not 2xx. By default, a request with a
 * body is a POST, and a request without one is a GET.
 */
export async function fetchJson(
  origin: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
  method = body === undefined ? "GET" : "POST",
): Promise<Record<string, unknown>> {
  const response = await fetch(origin + path, { method, headers, body: body ?? null });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} responded ${response.status}: ${text}`);
  return text === "" ? {} : JSON.parse(text);
}
