import { describe, expect, it, vi } from "vitest";
import {
  APIConnectionError,
  APITimeoutError,
  PermissionDeniedError,
  verifyAuditExport,
} from "../src/index.ts";
import { checkpointsOf, entriesOf, linesOf, newSigner } from "./audit-chain.ts";
import { useService } from "./service.ts";

const lines = linesOf(entriesOf(5));
const text = lines.map((line) => `${line}\n`).join("");

async function takeAll(source: AsyncIterable<string>): Promise<string[]> {
  const taken: string[] = [];
  for await (const line of source) taken.push(line);
  return taken;
}

/** An answer whose body comes in these pieces, and then ends or breaks off. */
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
  const test = useService();

  it("asks for the chain as JSON lines, signed, once its first line is", async () => {
    test.service.script({ bytes: new TextEncoder().encode(text) });
    const exported = test.signedClient().audit.export({ chain: "provider_keys" });
    expect(test.service.received).toEqual([]);

    expect(await takeAll(exported)).toEqual(lines);

    expect(test.service.received).toMatchObject([
      { path: "/api/v1/svc/audit/export?chain=provider_keys&format=jsonl", isSigned: true },
    ]);
  });

  it("gives lines that verify, with what the client lists as checkpoints", async () => {
    const signer = newSigner();
    const checkpoints = checkpointsOf(lines, [2, 4], signer);
    test.service.script(
      { bytes: new TextEncoder().encode(text) },
      { body: { object: "list", data: checkpoints.toReversed(), has_more: false } },
    );
    const { audit } = test.signedClient();
    const exported = await takeAll(audit.export());

    const findings = await verifyAuditExport(exported, {
      checkpoints: await audit.checkpoints().autoPagingToArray({ limit: 100 }),
      publicKeys: { keys: [signer.jwk] },
    });

    expect(findings).toMatchObject({
      valid: true,
      anchored: { sequence: 4, unanchoredEntries: 1 },
    });
  });

  it("puts lines together wherever the pieces were cut", async () => {
    const bytes = new TextEncoder().encode(text);
    for (const size of [1, 7, 64, 1_000]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.slice(index * size, (index + 1) * size),
      );
      const { audit } = test.signedClient({ fetch: streaming(pieces) });

      expect(await takeAll(audit.export())).toEqual(lines);
    }
  });

  it("throws where it breaks off or ends within a line, after the lines that came", async () => {
    const bytes = new TextEncoder().encode(text);
    const part = bytes.slice(0, bytes.length - 20);
    for (const fetch of [
      streaming([bytes], new TypeError("terminated")),
      streaming([part]),
      streaming([Uint8Array.from([0xff]), bytes]),
    ]) {
      const { audit } = test.signedClient({ fetch });
      await expect(takeAll(audit.export())).rejects.toBeInstanceOf(APIConnectionError);
    }
    const { audit } = test.signedClient({ fetch: streaming([part]) });
    const taken: string[] = [];
    await expect(
      (async () => {
        for await (const line of audit.export()) taken.push(line);
      })(),
    ).rejects.toThrow("ended within a line");
    expect(taken).toEqual(lines.slice(0, -1));
  });

  it("does not gather a line that never ends", async () => {
    const piece = new Uint8Array(1_048_576).fill(0x61);
    const { audit } = test.signedClient({ fetch: streaming(Array(6).fill(piece)) });

    await expect(takeAll(audit.export())).rejects.toThrow("has no end");
  });

  it("throws a refusal as every call does", async () => {
    test.service.script({ status: 403, body: { code: "insufficient_scope", status: 403 } });

    await expect(takeAll(test.signedClient().audit.export())).rejects.toBeInstanceOf(
      PermissionDeniedError,
    );
  });

  it("waits for its beginning only as long as for any answer, and for the rest as long as it takes", async () => {
    test.service.script("stall");
    const waiting = test.signedClient({ timeoutMs: 50, maxRetries: 0 });
    await expect(takeAll(waiting.audit.export())).rejects.toBeInstanceOf(APITimeoutError);

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
    expect([first.value, ...(await takeAll(exported))]).toEqual(lines);
  });
});
