import { APIConnectionError, PurserError } from "./errors.ts";

/** Longer lines are rejected. The lines of a response are much shorter. */
const LINE_MAX_CHARACTERS = 4_194_304;

/**
 * Yields the lines of a streamed body as they arrive.
 *
 * @throws APIConnectionError if the body is cut off or its last line is incomplete; PurserError if a line has more than
 * 4,194,304 characters.
 */
export async function* readLines(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string, void, void> {
  let rest = "";
  for await (const piece of decodeUtf8(body)) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > LINE_MAX_CHARACTERS) throw new PurserError("A line of the response is too long.");
    yield* lines;
  }
  if (rest !== "") throw new APIConnectionError("The response ended in the middle of a line.");
}

async function* decodeUtf8(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    for await (const bytes of body ?? []) yield decoder.decode(bytes, { stream: true });
    yield decoder.decode();
  } catch (cause) {
    throw new APIConnectionError("The response was cut off.", { cause });
  }
}
