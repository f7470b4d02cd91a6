import type { SendWebhook } from "../kit/vendor-simulator.ts";

const TIMEOUT_MS = 10_000;

/** Returns a function that sends vendors' events to the server at this URL. */
export function postWebhooksTo(serverUrl: string): SendWebhook {
  return async ({ vendor, body, headers }) => {
    const response = await fetch(`${serverUrl}/api/v1/svc/vendor-webhooks/${vendor}`, {
      method: "POST",
      headers,
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`The server answered a webhook with ${response.status}.`);
  };
}
