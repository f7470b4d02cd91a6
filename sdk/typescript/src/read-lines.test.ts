import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { APIConnectionError, PurserError } from "./errors.ts";
import { readLines } from "./read-lines.ts";

const LINE_LENGTH_MAX = 4 * 1024 * 1024;

function streamOf(pieces: readonly Uint8Array[], failure?: Error): ReadableStream<Uint8Array> {
  const rest = [...pieces];
  return new ReadableStream({
    pull: (controller) => {
      const piece = rest.shift();
      if (piece !== undefined) controller.enqueue(piece);
      else if (failure === undefined) controller.close();
      else controller.error(failure);
    },
  });
}

const bytes = (text: string) => new TextEncoder().encode(text);
const linesOf = (...pieces: readonly Uint8Array[]) => collected(streamOf(pieces));

async function collected(body: ReadableStream<Uint8Array> | null): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of readLines(body)) lines.push(line);
  return lines;
}

describe("readLines", () => {
  it("the same lines: a text is split into any chunks", async () => {
    const line = fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\n"));
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.infiniteStream(fc.nat(5)), async (lines, sizes) => {
        const all = bytes(lines.map((one) => `${one}\n`).join(""));
        const pieces: Uint8Array[] = [];
        for (let at = 0; at < all.length; ) {
          const { value = 1 } = sizes.next();
          pieces.push(all.subarray(at, at + value + 1));
          at += value + 1;
        }
        expect(await linesOf(...pieces)).toEqual(lines);
      }),
    );
  });

  it("no line: there is no body, or an empty one", async () => {
    expect(await collected(null)).toEqual([]);
    expect(await linesOf()).toEqual([]);
  });

  it("the byte order mark is part of the line: a text starts with one", async () => {
    expect(await linesOf(bytes("\ufeffa\n"))).toEqual(["\ufeffa"]);
  });

  it("an error: the text ends in the middle of a line", async () => {
    await expect(linesOf(bytes("a\nb"))).rejects.toThrow(APIConnectionError);
    await expect(linesOf(bytes("a\nb"))).rejects.toThrow("The response ended in the middle of a line.");
  });

  it.each([
    ["bytes that are not UTF-8", [0xff, 0x0a]],
    ["half a character at the end", [0x61, 0x0a, 0xc3]],
  ])("an error: the body has %s", async (_, body) => {
    await expect(linesOf(Uint8Array.from(body))).rejects.toThrow(APIConnectionError);
    await expect(linesOf(Uint8Array.from(body))).rejects.toThrow("The response was cut off.");
  });

  it("an error with a cause, after the complete lines: the connection is closed early", async () => {
    const cause = new Error("reset");
    const lines = readLines(streamOf([bytes("a\n")], cause));

    expect(await lines.next()).toEqual({ done: false, value: "a" });
    await expect(lines.next()).rejects.toMatchObject({
      message: "The response was cut off.",
      cause,
    });
  });

  it("an error, and no line of more than 4 MiB: a line does not end", async () => {
    const longest = "x".repeat(LINE_LENGTH_MAX);

    expect(await linesOf(bytes(longest), bytes("\n"))).toEqual([longest]);
    const refused = linesOf(bytes(`${longest}x`), bytes("\n"));
    await expect(refused).rejects.toThrow(PurserError);
    await expect(refused).rejects.toThrow("A line of the response is too long.");
  });
});
