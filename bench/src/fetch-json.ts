/** GETs, or POSTs where there is a body. Throws for whatever is not a 2xx. */
export async function fetchJson(
  origin: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<Record<string, unknown>> {
  const answer = await fetch(
    origin + path,
    body === undefined ? { headers } : { method: "POST", headers, body },
  );
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}
