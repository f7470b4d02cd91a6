import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A server in this process that accepts webhooks, and remembers when they arrived. */
export interface WebhookSink {
  readonly url: string;
  /** Forgets what arrived. Resolves when this many more have arrived, with the seconds from the first to the last. */
  expect(deliveries: number): Promise<number>;
  /** For each event of this type that arrived, the milliseconds since it happened. */
  latenciesOf(type: string): number[];
  /** The body that arrived last. */
  readonly lastBody: () => string;
  close(): void;
}

export async function startWebhookSink(): Promise<WebhookSink> {
  let arrived: { readonly atMs: number; readonly body: string }[] = [];
  let wanted = { deliveries: 0, resolve: () => {} };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    arrived.push({ atMs: Date.now(), body: Buffer.concat(chunks).toString("utf8") });
    response.end();
    if (arrived.length === wanted.deliveries) wanted.resolve();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    expect: async (deliveries) => {
      arrived = [];
      await new Promise<void>((resolve) => {
        wanted = { deliveries, resolve };
      });
      return ((arrived.at(-1)?.atMs ?? 0) - (arrived[0]?.atMs ?? 0)) / 1_000;
    },
    latenciesOf: (type) =>
      arrived.flatMap(({ atMs, body }) => {
        const event = JSON.parse(body);
        return event.type === type ? [atMs - Date.parse(event.occurred_at)] : [];
      }),
    lastBody: () => arrived.at(-1)?.body ?? "",
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
