import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** The ids of the traces to which the span has links. */
  readonly links: readonly string[];
}

/** Starts a server that receives spans as OTLP in protobuf. */
export async function startOtlpReceiver() {
  const bodies: Buffer[] = [];
  const server = createServer(async (request, response) => {
    if (request.url === "/v1/traces") bodies.push(await buffer(request));
    response.writeHead(request.url === "/v1/traces" ? 200 : 404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** Everything that was received. */
    bytes: () => Buffer.concat(bodies),
    spans: () => bodies.flatMap(spansOf),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The numbers are those of the fields in opentelemetry/proto/trace/v1/trace.proto. */
function spansOf(body: Buffer): ReceivedSpan[] {
  const scopes = messagesIn(body, 1).flatMap((resourceSpans) => messagesIn(resourceSpans, 2));
  return scopes.flatMap((scopeSpans) => messagesIn(scopeSpans, 2)).map(spanOf);
}

function spanOf(span: Buffer): ReceivedSpan {
  const first = (number: number) => messagesIn(span, number)[0] ?? Buffer.alloc(0);
  return {
    traceId: first(1).toString("hex"),
    spanId: first(2).toString("hex"),
    parentSpanId: first(4).toString("hex"),
    name: first(5).toString(),
    attributes: Object.fromEntries(messagesIn(span, 9).map(attributeOf)),
    links: messagesIn(span, 13).map((link) => messagesIn(link, 1)[0]?.toString("hex") ?? ""),
  };
}

function attributeOf(attribute: Buffer): [string, string] {
  const [key, value] = [1, 2].map((number) => messagesIn(attribute, number)[0] ?? Buffer.alloc(0));
  const fields = fieldsOf(value ?? Buffer.alloc(0));
  const [content] = fields.map((field) => ("bytes" in field ? field.bytes.toString() : String(field.whole)));
  return [key?.toString() ?? "", content ?? ""];
}

function messagesIn(message: Buffer, number: number): Buffer[] {
  return fieldsOf(message).flatMap((field) => (field.number === number && "bytes" in field ? [field.bytes] : []));
}

type Field = { readonly number: number } & ({ readonly bytes: Buffer } | { readonly whole: bigint });

function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = [];
  for (let at = 0; at < message.length; ) {
    const { field, end } = readField(message, at);
    fields.push(field);
    at = end;
  }
  return fields;
}

function readField(message: Buffer, start: number): { readonly field: Field; readonly end: number } {
  const tag = readWhole(message, start);
  const [number, type] = [Number(tag.value >> 3n), Number(tag.value & 7n)];
  if (type === 0) {
    const { value: whole, end } = readWhole(message, tag.end);
    return { field: { number, whole }, end };
  }
  // Type 2 begins with its length. The others have 4 or 8 bytes.
  const { value: length, end: from } =
    type === 2 ? readWhole(message, tag.end) : { value: type === 1 ? 8n : 4n, end: tag.end };
  const end = from + Number(length);
  return { field: { number, bytes: message.subarray(from, end) }, end };
}

function readWhole(message: Buffer, start: number): { readonly value: bigint; readonly end: number } {
  let value = 0n;
  for (let at = start; ; at += 1) {
    const byte = message[at] ?? 0;
    value |= BigInt(byte & 0x7f) << BigInt(7 * (at - start));
    if (byte < 0x80) return { value, end: at + 1 };
  }
}
