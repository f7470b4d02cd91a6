/** GETs, or POSTs where there is a body, unless a method is said. Throws for whatever is not a 2xx. */
export async function fetchJson(
  origin: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
  method = body === undefined ? "GET" : "POST",
): Promise<Record<string, unknown>> {
  const answer = await fetch(origin + path, { method, headers, body: body ?? null });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}
