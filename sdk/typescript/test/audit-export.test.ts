import { describe, expect, it, vi } from "vitest";
import { APIConnectionError, APITimeoutError, PermissionDeniedError, verifyAuditExport } from "../src/index.ts";
import { chainLines, checkpointsOf, entriesOf, newSigner } from "./audit-chain.ts";
import { useTestServer } from "./test-server.ts";

const lines = chainLines(entriesOf(5));
const text = lines.map((line) => `${line}\n`).join("");

async function collect(source: AsyncIterable<string>): Promise<string[]> {
  const collected: string[] = [];
  for await (const line of source) collected.push(line);
  return collected;
}

/** Returns a `fetch` whose response body consists of these chunks and then ends or fails. */
function streaming(pieces: readonly Uint8Array[], end: "close" | Error = "close"): typeof fetch {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(piece);
      if (end === "close") controller.close();
      else controller.error(end);
    },
  });
  return async () => new Response(body, { status: 200 });
}

describe("audit.export", () => {
  const test = useTestServer();

  it("sends one signed request for JSON lines when the first line is read", async () => {
    test.server.script({ bytes: new TextEncoder().encode(text) });
    const exported = test.signedClient().audit.export({ chain: "provider_keys" });
    expect(test.server.received).toEqual([]);

    expect(await collect(exported)).toEqual(lines);

    expect(test.server.received).toMatchObject([
      { path: "/api/v1/svc/audit/export?chain=provider_keys&format=jsonl", isSigned: true },
    ]);
  });

  it("returns lines that verify against the listed checkpoints", async () => {
    const signer = newSigner();
    const checkpoints = checkpointsOf(lines, [2, 4], signer);
    test.server.script(
      { bytes: new TextEncoder().encode(text) },
      { body: { object: "list", data: checkpoints.toReversed(), has_more: false } },
    );
    const { audit } = test.signedClient();
    const exported = await collect(audit.export());

    const findings = await verifyAuditExport(exported, {
      checkpoints: await audit.checkpoints().toArray({ limit: 100 }),
      publicKeys: { keys: [signer.jwk] },
    });

    expect(findings).toMatchObject({
      valid: true,
      anchored: { sequence: 4, unanchoredEntries: 1 },
    });
  });

  it("joins lines that are split across chunks of any size", async () => {
    const bytes = new TextEncoder().encode(text);
    for (const size of [1, 7, 64, 1_000]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.slice(index * size, (index + 1) * size),
      );
      const { audit } = test.signedClient({ fetch: streaming(pieces) });

      expect(await collect(audit.export())).toEqual(lines);
    }
  });

  it("returns the complete lines, then throws if the body is cut off", async () => {
    const bytes = new TextEncoder().encode(text);
    const part = bytes.slice(0, bytes.length - 20);
    for (const fetch of [
      streaming([bytes], new TypeError("terminated")),
      streaming([part]),
      streaming([Uint8Array.from([0xff]), bytes]),
    ]) {
      const { audit } = test.signedClient({ fetch });
      await expect(collect(audit.export())).rejects.toBeInstanceOf(APIConnectionError);
    }
    const { audit } = test.signedClient({ fetch: streaming([part]) });
    const collected: string[] = [];
    await expect(
      (async () => {
        for await (const line of audit.export()) collected.push(line);
      })(),
    ).rejects.toThrow("ended in the middle of a line");
    expect(collected).toEqual(lines.slice(0, -1));
  });

  it("throws for a line of more than 4,194,304 characters", async () => {
    const piece = new Uint8Array(1_048_576).fill(0x61);
    const { audit } = test.signedClient({ fetch: streaming(Array(6).fill(piece)) });

    await expect(collect(audit.export())).rejects.toThrow("is too long");
  });

  it("throws the typed error of an error response", async () => {
    test.server.script({ status: 403, body: { code: "insufficient_scope", status: 403 } });

    await expect(collect(test.signedClient().audit.export())).rejects.toBeInstanceOf(PermissionDeniedError);
  });

  it("applies the timeout to the response headers, not to the body", async () => {
    test.server.script("stall");
    const waiting = test.signedClient({ timeoutMs: 50, maxRetries: 0 });
    await expect(collect(waiting.audit.export())).rejects.toBeInstanceOf(APITimeoutError);

    let finish = () => {};
    const fetch = async (_input: unknown, init?: RequestInit) => {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode(text));
          init?.signal?.addEventListener("abort", () => controller.error(init.signal?.reason));
          finish = () => controller.close();
        },
      });
      return new Response(body);
    };
    const slow = test.signedClient({ timeoutMs: 1, fetch: fetch as typeof globalThis.fetch });
    const exported = slow.audit.export();
    vi.useFakeTimers();
    const first = await exported.next();
    vi.advanceTimersByTime(60_000);
    vi.useRealTimers();
    finish();
    expect([first.value, ...(await collect(exported))]).toEqual(lines);
  });
});
