/** Sends a request: by default a POST if there is a body, else a GET. Throws unless the status is 2xx. */
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
  return JSON.parse(text);
}
