import { afterEach, describe, expect, it, vi } from "vitest";
import {
  APIConnectionError,
  AuthenticationError,
  type Event,
  PermissionDeniedError,
  PurserError,
  ValidationError,
} from "../src/index.ts";
import { type TestResponse, UNAUTHORIZED, useTestServer } from "./test-server.ts";

const EVENTS = ["evt_1", "evt_2", "evt_3"].map((id) => ({ object: "event", id, type: "payment.confirmed" }));
const OPEN = ": open\n\n";

const messageOf = (event: { id: string; type: string }) =>
  `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

function stream(...texts: readonly string[]): TestResponse {
  const headers = { "content-type": "text/event-stream; charset=utf-8" };
  return { headers, bytes: new TextEncoder().encode(OPEN + texts.join("")) };
}

const idsOf = (events: readonly Event[]) => events.map(({ id }) => id);

async function take(source: AsyncIterable<Event>, count: number): Promise<Event[]> {
  const taken: Event[] = [];
  for await (const event of source) {
    taken.push(event);
    if (taken.length === count) break;
  }
  return taken;
}

const [first, second, third] = EVENTS.map(messageOf) as [string, string, string];

describe("events.stream", () => {
  const test = useTestServer();
  afterEach(() => vi.useRealTimers());
  const lastIds = () => test.server.received.map(({ headers }) => headers["last-event-id"]);

  it("returns the events of one signed request, which is sent when the first is read", async () => {
    test.server.script(stream(first, ": nothing new\n\n", second));
    const events = test.signedClient().events.stream({ type: "payment.*" });
    expect(test.server.received).toEqual([]);

    expect(await take(events, 2)).toEqual(EVENTS.slice(0, 2));

    const headers = { accept: "text/event-stream, application/problem+json" };
    const path = "/api/v1/svc/events/stream?type=payment.*";
    expect(test.server.received).toMatchObject([{ path, headers, isSigned: true }]);
  });

  it("connects again after the last event, with a new nonce, when the server ends the stream", async () => {
    test.server.script(stream(first), stream(), stream(second, third));

    expect(idsOf(await take(test.signedClient().events.stream(), 3))).toEqual(["evt_1", "evt_2", "evt_3"]);

    expect(lastIds()).toEqual([undefined, "evt_1", "evt_1"]);
    expect(test.server.received.every(({ isSigned }) => isSigned)).toBe(true);
    expect(test.slept).toEqual([500, 500]);
  });

  it("connects again after the last whole event when the connection breaks, after longer and longer pauses", async () => {
    const problem = { status: 503, body: { code: "service_unavailable", status: 503, retryable: true } };
    test.server.script(stream(first, second.slice(0, 40)), "drop", problem, "drop", stream(second));

    const events = test.signedClient({ maxRetries: 0 }).events.stream();
    expect(idsOf(await take(events, 2))).toEqual(["evt_1", "evt_2"]);

    expect(lastIds()).toEqual([undefined, "evt_1", "evt_1", "evt_1", "evt_1"]);
    expect(test.slept).toEqual([500, 1_000, 2_000, 4_000]);
  });

  it("starts after the event that the caller names", async () => {
    test.server.script(stream(second), stream(third));

    await take(test.signedClient().events.stream({ after: "evt_1" }), 2);

    expect(lastIds()).toEqual(["evt_1", "evt_2"]);
    expect(test.server.received[0]?.path).toBe("/api/v1/svc/events/stream");
  });

  it("continues after an id that came without an event", async () => {
    test.server.script(stream("id: evt_0\n\n"), stream(first));

    await take(test.signedClient().events.stream(), 1);

    expect(lastIds()).toEqual([undefined, "evt_0"]);
  });

  it("connects again when nothing arrives for 30 seconds, not even a comment", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const bodies = [OPEN, OPEN + first];
    const signals: AbortSignal[] = [];
    const fetch = async (_url: unknown, { signal }: RequestInit = {}) => {
      if (signal) signals.push(signal);
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode(bodies.shift()));
          signal?.addEventListener("abort", () => controller.error(signal.reason));
        },
      });
      return new Response(body);
    };
    const taken = take(test.signedClient({ fetch: fetch as typeof globalThis.fetch }).events.stream(), 1);
    await vi.advanceTimersByTimeAsync(29_999);
    expect(signals).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);

    expect(idsOf(await taken)).toEqual(["evt_1"]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  });

  it.each([
    ["401", UNAUTHORIZED, AuthenticationError],
    [
      "403",
      { status: 403, body: { code: "insufficient_scope", status: 403, retryable: false } },
      PermissionDeniedError,
    ],
    ["422", { status: 422, body: { code: "validation_failed", status: 422, retryable: false } }, ValidationError],
  ])("throws the error of a %s response, also when it connects again", async (_, response, error) => {
    const { events } = test.signedClient({ maxRetries: 0 });
    test.server.script(response);
    await expect(take(events.stream(), 1)).rejects.toBeInstanceOf(error);

    test.server.script(stream(first), response);
    await expect(take(events.stream(), 2)).rejects.toBeInstanceOf(error);
  });

  it("throws if the first connection fails, after the usual retries", async () => {
    test.server.script("drop", "drop", "drop");

    await expect(take(test.signedClient().events.stream(), 1)).rejects.toBeInstanceOf(APIConnectionError);
    expect(test.server.received).toHaveLength(3);
  });

  it("throws if an event is not JSON", async () => {
    test.server.script(stream("id: evt_1\ndata: {\n\n"));

    await expect(take(test.signedClient().events.stream(), 1)).rejects.toThrow(
      new PurserError("An event of the stream is not JSON."),
    );
  });

  it("closes the connection when the caller leaves the loop", async () => {
    let isCanceled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(OPEN + first)),
      cancel: () => {
        isCanceled = true;
      },
    });
    await take(test.signedClient({ fetch: async () => new Response(body) }).events.stream(), 1);

    expect(isCanceled).toBe(true);
  });

  it("ends without an error when the signal is aborted: before the first event, between two, or during a pause", async () => {
    const abort = [new AbortController(), new AbortController(), new AbortController()] as const;
    const [aborted, inLoop, inPause] = abort.map(({ signal }) => ({ signal }));
    abort[0].abort();
    const { events } = test.signedClient({ sleep: async () => abort[2].abort() });
    const seen: string[] = [];

    for await (const { id } of events.stream({}, aborted)) seen.push(id);
    expect(seen).toEqual([]);

    test.server.script(stream(first, second));
    for await (const { id } of events.stream({}, inLoop)) {
      seen.push(id);
      abort[1].abort();
    }
    expect(seen).toEqual(["evt_1"]);

    test.server.script(stream(second));
    for await (const { id } of events.stream({}, inPause)) seen.push(id);
    expect(seen).toEqual(["evt_1", "evt_2"]);
  });
});
