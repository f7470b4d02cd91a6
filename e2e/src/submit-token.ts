import { randomUUID } from "node:crypto";
import { type ApiResponse, retryUnavailable, sendOnce } from "./signed-client.ts";

/**
 * Submits an access token in the form of a link, as a person does in a browser. `formUrl` is the link's `url`, and `url`
 * the server's. The simulators accept every token that starts with `sandbox-`.
 */
export async function submitToken(
  url: string,
  formUrl: string,
  token = `sandbox-${randomUUID()}`,
): Promise<ApiResponse> {
  const { pathname, search } = new URL(formUrl);
  const address = url + pathname + search;
  const form = await retryUnavailable(() => sendOnce(address));
  const once = /name="once" value="([\w-]{43})"/.exec(form.text)?.[1] ?? "";
  return retryUnavailable(() =>
    sendOnce(address, {
      method: "POST",
      headers: { accept: "application/json" },
      body: new URLSearchParams({ token, once }),
    }),
  );
}
