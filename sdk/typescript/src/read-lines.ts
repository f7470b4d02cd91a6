import { APIConnectionError, PurserError } from "./errors.ts";

/** Far more than any line of the service's. */
const LINE_LENGTH_MAX = 4_194_304;

/**
 * The lines of a text that comes in pieces, as it comes.
 *
 * @throws APIConnectionError where it breaks off, or ends within a line; PurserError for a line that is longer than 4 MiB.
 */
export async function* readLines(
  body: ReadableStream<Uint8Array> | null,
): AsyncGenerator<string, void, void> {
  let rest = "";
  for await (const piece of decoded(body)) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > LINE_LENGTH_MAX) throw new PurserError("A line of the answer has no end.");
    yield* lines;
  }
  if (rest !== "") throw new APIConnectionError("The answer ended within a line.");
}

async function* decoded(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    for await (const bytes of body ?? []) yield decoder.decode(bytes, { stream: true });
    yield decoder.decode();
  } catch (cause) {
    throw new APIConnectionError("The answer broke off.", { cause });
  }
}
