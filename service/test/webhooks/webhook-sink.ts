import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import type { App } from "../../src/app.ts";
import { runDueWork } from "../../src/due-work/run-due-work.ts";
import { deliverNewEvents, retryDeliveries } from "../../src/modules/webhooks/deliver-events.ts";
import { scheduleWebhooks } from "../../src/modules/webhooks/schedule-deliveries.ts";
import { EVENTS_TIMEOUT_MS } from "../events/until-readable.ts";
import type { AnyBody } from "../harness.ts";

export interface ReceivedDelivery {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly event: AnyBody;
}

/** Runs a server that receives webhooks, and answers 200 unless a test replaces `answer`. */
export function useWebhookSink() {
  const received: ReceivedDelivery[] = [];
  const ok = (_delivery: ReceivedDelivery, response: ServerResponse) => void response.end("ok");
  const sink = { received, url: "", answer: ok };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString("utf8");
    const delivery = { path: request.url ?? "", headers: request.headers, text, event: JSON.parse(text) };
    received.push(delivery);
    sink.answer(delivery, response);
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    sink.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    received.length = 0;
    sink.answer = ok;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return sink;
}

/** Does what the workers do about webhooks, once. */
export async function runWebhookJobs(app: App): Promise<void> {
  await scheduleWebhooks(app, { seenAgain: [] });
  await runDueWork(app, deliverNewEvents);
  await runDueWork(app, retryDeliveries);
}

/** Runs the jobs until `read` returns this value. */
export async function runWebhookJobsUntil(app: App, read: () => unknown, value: unknown): Promise<void> {
  const run = async () => {
    await runWebhookJobs(app);
    return read();
  };
  await expect.poll(run, { timeout: EVENTS_TIMEOUT_MS }).toEqual(value);
}
