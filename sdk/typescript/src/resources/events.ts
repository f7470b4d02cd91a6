import { Events as GeneratedEvents, type StreamEventsQuery } from "../api-resources.ts";
import type { Event } from "../api-types.ts";
import { APIConnectionError, PurserError } from "../errors.ts";
import { readLines } from "../read-lines.ts";
import type { RequestOptions } from "../transport.ts";

/** The server sends a comment every 5 seconds, so a connection that is silent for longer is broken. */
const SILENCE_MAX_MS = 30_000;

/** What a stream has received, which decides how it continues after the connection breaks. */
interface Progress {
  lastId: string | undefined;
  /** Whether the server has accepted the stream before. */
  hasOpened: boolean;
  /** Attempts since the last event. */
  retries: number;
}

export class Events extends GeneratedEvents {
  /**
   * Returns events as they happen, until the caller leaves the loop or aborts `signal`. When the connection ends or breaks,
   * connects again and continues after the last event. The request is sent when the first event is read.
   *
   * @param query `after` is the id of an event: returns the events after it. Default: those from now on.
   *
   * @throws APIError for an error response that would be the same again, such as 401, 403 or 422; APIConnectionError if
   * the first connection fails.
   */
  async *stream(
    { after, ...query }: StreamEventsQuery & { readonly after?: string | undefined } = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Event, void, void> {
    const progress: Progress = { lastId: after, hasOpened: false, retries: 0 };
    try {
      for (;;) {
        const failure = yield* this.#connect(query, options, progress);
        const delayMs = this.transport().retryDelayMs(failure, progress.retries);
        if (delayMs === undefined || !progress.hasOpened) throw failure;
        progress.retries += 1;
        await this.transport().sleep(delayMs, options.signal);
      }
    } catch (failure) {
      if (!options.signal?.aborted) throw failure;
    }
  }

  /** Returns why the connection ended. */
  async *#connect(
    query: StreamEventsQuery,
    options: RequestOptions,
    progress: Progress,
  ): AsyncGenerator<Event, unknown, void> {
    const silence = new AbortController();
    const signal = options.signal ? AbortSignal.any([options.signal, silence.signal]) : silence.signal;
    const headers = { ...options.headers, ...(progress.lastId && { "last-event-id": progress.lastId }) };
    const accept = "text/event-stream, application/problem+json";
    const call = { method: "GET", path: "/events/stream", access: "tenant", query: { ...query }, accept } as const;
    try {
      const { data } = await this.transport().stream(call, { ...options, headers, signal });
      progress.hasOpened = true;
      for await (const { id, text } of readMessages(untilSilent(readLines(data), () => silence.abort()))) {
        signal.throwIfAborted();
        progress.lastId = id ?? progress.lastId;
        if (text === "") continue;
        progress.retries = 0;
        yield parseEvent(text);
      }
      progress.retries = 0;
      return new APIConnectionError("The server ended the stream.");
    } catch (failure) {
      return failure;
    }
  }
}

/** Yields lines, and calls `onSilence` if one takes too long. The time that the caller takes for a line does not count. */
async function* untilSilent(lines: AsyncGenerator<string>, onSilence: () => void): AsyncGenerator<string, void, void> {
  try {
    for (;;) {
      const timer = setTimeout(onSilence, SILENCE_MAX_MS);
      const { done, value } = await lines.next().finally(() => clearTimeout(timer));
      if (done) return;
      yield value;
    }
  } finally {
    await lines.return(undefined);
  }
}

/** Yields the messages of server-sent events, as far as the API uses them. A message without `data` only has an id. */
async function* readMessages(lines: AsyncIterable<string>): AsyncGenerator<{ id: string | undefined; text: string }> {
  let id: string | undefined;
  let text = "";
  for await (const line of lines) {
    if (line.startsWith("id: ")) id = line.slice("id: ".length);
    if (line.startsWith("data: ")) text += line.slice("data: ".length);
    if (line !== "") continue;
    yield { id, text };
    id = undefined;
    text = "";
  }
}

function parseEvent(text: string): Event {
  try {
    return JSON.parse(text);
  } catch {
    throw new PurserError("An event of the stream is not JSON.");
  }
}
