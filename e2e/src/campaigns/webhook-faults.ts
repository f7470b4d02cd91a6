import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { systemActor } from "@purser/service/audit/actors.ts";
import { withTransaction } from "@purser/service/db/transaction.ts";
import { appendEvent } from "@purser/service/events/events.ts";
import type { TenantId } from "@purser/service/foundation/ids.ts";
import { Webhook } from "standardwebhooks";
import { seedDeveloper, seedKeyPair } from "../../../service/test/seeds.ts";
import { createSignedClient } from "../signed-client.ts";
import type { Replicas } from "./replicas.ts";

const EVENTS_OF_SUBJECT = 10;
const SUBJECTS_CONCURRENT = 8;
const DOWN_MS = 20_000;
const LARGE_BYTES = 1_048_576;
/** No event may take longer than its retries: it fails at most once. */
const QUIET_MS_MAX = 60_000;

/** How a server fails: what it does with an attempt. Returns true if it has accepted the event. */
type Fault = (attempt: {
  readonly response: ServerResponse;
  readonly request: IncomingMessage;
  /** 1 for the first attempt of this event. */
  readonly number: number;
  /** The number of the event among those of the server. */
  readonly event: number;
  readonly sinceStartMs: number;
}) => boolean;

const accept = (response: ServerResponse, status = 200) => {
  response.writeHead(status).end();
  return status < 300;
};
/** Fails the first attempt of one event in `each` in this way, and accepts all others. */
const failingFirst =
  (each: number, fail: (response: ServerResponse, request: IncomingMessage) => void): Fault =>
  ({ response, request, number, event }) => {
    if (number > 1 || event % each !== 0) return accept(response);
    fail(response, request);
    return false;
  };

/** The servers, by how they fail. An event fails at most once, except while the server is down at first. */
const FAULTS: Readonly<Record<string, Fault>> = {
  none: ({ response }) => accept(response),
  "answers 500": failingFirst(2, (response) => accept(response, 500)),
  "answers 429": failingFirst(10, (response) => accept(response, 429)),
  redirects: failingFirst(10, (response) => response.writeHead(302, { location: "http://169.254.169.254/" }).end()),
  "never answers": failingFirst(100, () => {}),
  "closes the connection": failingFirst(10, (_response, { socket }) => socket.destroy()),
  "breaks off its answer": failingFirst(10, (response, { socket }) => {
    response.writeHead(200, { "content-length": "100" }).write("a");
    setTimeout(() => socket.destroy(), 5);
  }),
  "sends a large answer": ({ response }) => {
    response.end(Buffer.alloc(LARGE_BYTES, "a"));
    return true;
  },
  "is down at first": ({ response, request, sinceStartMs }) => {
    if (sinceStartMs > DOWN_MS) return accept(response);
    request.socket.destroy();
    return false;
  },
  "is slow": ({ response }) => {
    setTimeout(() => response.end(), 50);
    return true;
  },
};

export interface WebhookFigures {
  readonly events: number;
  readonly attempts: number;
  readonly seconds: number;
  /** Events that no server has accepted. */
  readonly lost: number;
  /** Events that were accepted before an earlier one of their subject which had not failed twice. */
  readonly outOfOrder: number;
  /** Attempts at the server of another tenant. */
  readonly misdirected: number;
  /** Attempts whose signature the reference library rejects. */
  readonly badSignatures: number;
  /** Events that were accepted more than once. */
  readonly repeated: number;
}

interface Sink {
  readonly fault: Fault;
  readonly tenantId: TenantId;
  readonly secret: string;
  /** The number of attempts of each event, by its subject and its number. */
  readonly attempts: Map<string, number>;
  /** The highest sequence that was accepted, by subject. */
  readonly accepted: Map<string, number>;
  readonly acceptedIds: Set<string>;
}

/** The servers of the tenants, on one port: the path tells whose it is. */
class Sinks {
  readonly figures = { attempts: 0, outOfOrder: 0, misdirected: 0, badSignatures: 0, repeated: 0 };
  readonly startedAtMs = performance.now();
  lastAtMs = performance.now();
  readonly #sinks = new Map<string, Sink>();
  readonly #server = createServer((request, response) => void this.#receive(request, response).catch(() => {}));

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  add(path: string, sink: Pick<Sink, "fault" | "tenantId" | "secret">): void {
    this.#sinks.set(path, { ...sink, attempts: new Map(), accepted: new Map(), acceptedIds: new Set() });
  }

  get accepted(): number {
    return [...this.#sinks.values()].reduce((sum, { acceptedIds }) => sum + acceptedIds.size, 0);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString("utf8");
    const sink = this.#sinks.get(request.url ?? "");
    if (sink === undefined) return void accept(response, 404);
    const event = JSON.parse(text);
    this.figures.attempts += 1;
    if (!isSigned(sink.secret, text, request)) this.figures.badSignatures += 1;
    if (!event.subject.id.startsWith(`proj_${sink.tenantId}_`)) this.figures.misdirected += 1;
    const key = keyOf(event.subject.id, event.sequence);
    const number = (sink.attempts.get(key) ?? 0) + 1;
    sink.attempts.set(key, number);
    const sinceStartMs = performance.now() - this.startedAtMs;
    if (sink.fault({ response, request, number, event: sink.attempts.size, sinceStartMs })) this.#accept(sink, event);
  }

  #accept(
    sink: Sink,
    event: { readonly id: string; readonly sequence: number; readonly subject: { readonly id: string } },
  ) {
    const before = sink.accepted.get(event.subject.id) ?? 0;
    this.lastAtMs = performance.now();
    if (sink.acceptedIds.has(event.id)) this.figures.repeated += 1;
    else {
      const passed = Array.from({ length: event.sequence - before - 1 }, (_, index) => before + 1 + index);
      const isLate = (sequence: number) => (sink.attempts.get(keyOf(event.subject.id, sequence)) ?? 0) < 2;
      if (event.sequence > before && passed.some(isLate)) this.figures.outOfOrder += 1;
    }
    sink.acceptedIds.add(event.id);
    sink.accepted.set(event.subject.id, Math.max(event.sequence, before));
  }
}

/**
 * Writes events for ten tenants, whose servers fail in ten ways, and waits until each server has accepted its events. Two
 * processes deliver them.
 */
export async function runWebhookCampaign({
  replicas: { urls, seeds },
  events,
  onProgress,
}: {
  readonly replicas: Pick<Replicas, "urls" | "seeds">;
  readonly events: number;
  readonly onProgress: (message: string) => void;
}): Promise<WebhookFigures> {
  const sinks = new Sinks();
  const sinkUrl = await sinks.listen();
  const each = Math.floor(events / Object.keys(FAULTS).length);
  const subjects: { readonly tenantId: TenantId; readonly id: string }[] = [];
  for (const [index, fault] of Object.values(FAULTS).entries()) {
    const tenantId = await seedDeveloper(seeds);
    const path = `/${index}`;
    const client = createSignedClient(urls[index % 2] ?? "", await seedKeyPair(seeds, tenantId));
    const { body } = await client.post("/webhooks", { url: `${sinkUrl}${path}`, event_types: ["project.*"] });
    sinks.add(path, { fault, tenantId, secret: (body as { readonly secret: string }).secret });
    for (let number = 0; number < each / EVENTS_OF_SUBJECT; number += 1) {
      subjects.push({ tenantId, id: `proj_${tenantId}_${number}` });
    }
  }
  const total = subjects.length * EVENTS_OF_SUBJECT;
  const write = async () => {
    for (let subject = subjects.pop(); subject !== undefined; subject = subjects.pop()) {
      await writeEvents(seeds, subject);
    }
  };
  const written = Promise.all(Array.from({ length: SUBJECTS_CONCURRENT }, write));
  while (sinks.accepted < total && performance.now() - sinks.lastAtMs < QUIET_MS_MAX) {
    await wait(1_000);
    onProgress(`webhook-faults: ${sinks.accepted} of ${total} events accepted, ${sinks.figures.attempts} attempts`);
  }
  await written;
  sinks.close();
  const seconds = Math.round((sinks.lastAtMs - sinks.startedAtMs) / 1_000);
  return { events: total, ...sinks.figures, seconds, lost: total - sinks.accepted };
}

async function writeEvents(
  { db, clock }: Replicas["seeds"],
  { tenantId, id }: { readonly tenantId: TenantId; readonly id: string },
): Promise<void> {
  for (let number = 0; number < EVENTS_OF_SUBJECT; number += 1) {
    await withTransaction(db, tenantId, (tx) =>
      appendEvent(tx, systemActor({ tenantId }), {
        ...{ type: "project.updated", subject: { type: "project", id }, data: { project_id: id, number } },
        occurredAt: clock.now(),
      }),
    );
  }
}

function keyOf(subjectId: string, sequence: number): string {
  return `${subjectId} ${sequence}`;
}

function isSigned(secret: string, text: string, { headers }: IncomingMessage): boolean {
  try {
    new Webhook(secret).verify(text, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}
