import type { LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { Agent, errors, request } from "undici";
import { isLoopbackAddress, isPublicAddress } from "../../foundation/networks.ts";
import type { WebhookAnswer, WebhookSender } from "../../ports/webhook-sender.ts";
import { USER_AGENT } from "../http-client/vendor-client.ts";
import { createHostResolver } from "./resolve-host.ts";

const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 64 * 1024;
/** Idle connections are kept this long for the next delivery. */
const IDLE_MS = 4_000;

interface HttpWebhookSenderOptions {
  /** Whether loopback addresses and plain http are allowed, for local use and tests. */
  readonly allowsLoopback: boolean;
  readonly timeoutMs?: number;
  /** Resolves a name. Replaced in tests. */
  readonly resolve?: (hostname: string) => Promise<readonly LookupAddress[]>;
}

/** An error whose message customers see. */
class DeliveryError extends Error {
  override readonly name = "DeliveryError";
}

/**
 * Sends requests. Each connection is made to an address that was checked after the name was resolved,
 * so a name that resolves to another address the next time (DNS rebinding) does not reach it.
 */
export function createHttpWebhookSender({
  allowsLoopback,
  timeoutMs = TIMEOUT_MS,
  resolve = createHostResolver(),
}: HttpWebhookSenderOptions): WebhookSender {
  const isAllowed = (address: string) => isPublicAddress(address) || (allowsLoopback && isLoopbackAddress(address));

  const protocols = allowsLoopback ? ["https:", "http:"] : ["https:"];

  /** Returns the addresses of the name. Throws if one of them is not allowed. */
  async function addressesOf(hostname: string) {
    const addresses = await resolve(hostname);
    if (addresses.every(({ address }) => isAllowed(address))) return addresses;
    throw new DeliveryError("the host has an address that is not public");
  }

  const lookup: LookupFunction = (hostname, { all }, callback) => {
    addressesOf(hostname).then(
      (addresses) => {
        const [{ address, family } = { address: "", family: 4 }] = addresses;
        if (all) callback(null, [...addresses]);
        else callback(null, address, family);
      },
      (error: NodeJS.ErrnoException) => callback(error, "", 4),
    );
  };
  const dispatcher = new Agent({
    ...{ keepAliveTimeout: IDLE_MS, keepAliveMaxTimeout: IDLE_MS },
    connect: { lookup, timeout: timeoutMs },
  });

  /** Returns why nothing can be sent to this URL, without resolving its name. */
  function refusalOfForm(url: URL | null): string | null {
    if (url === null || !protocols.includes(url.protocol)) return "is not an https URL";
    if (url.username !== "" || url.password !== "") return "contains a user name or a password";
    const host = hostOf(url);
    // A host that is an address is not looked up.
    return isIP(host) !== 0 && !isAllowed(host) ? "is not a public address" : null;
  }

  return {
    refusalOf: async (text) => {
      const url = URL.parse(text);
      const refusal = refusalOfForm(url);
      if (url === null || refusal !== null) return refusal;
      try {
        await addressesOf(hostOf(url));
        return null;
      } catch (error) {
        return error instanceof DeliveryError ? "has a host with an address that is not public" : null;
      }
    },
    send: async ({ url: text, headers, body }) => {
      const startedAtMs = performance.now();
      const url = URL.parse(text);
      const exchange = async (): Promise<Answer> => {
        const refusal = refusalOfForm(url);
        if (url === null || refusal !== null) throw new DeliveryError(`the URL ${refusal}`);
        const answer = await request(url, {
          ...{ dispatcher, body, signal: AbortSignal.timeout(timeoutMs) },
          method: "POST",
          headers: { ...headers, "content-type": "application/json", "user-agent": USER_AGENT },
        });
        return { status: answer.statusCode, body: await readStart(answer.body), error: null };
      };
      const answer = await exchange().catch((error) => ({ status: null, body: "", error: textOf(error) }));
      return { ...answer, durationMs: Math.round(performance.now() - startedAtMs) };
    },
  };
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

type Answer = Omit<WebhookAnswer, "durationMs">;

/** Only names of errors are stored, because a text can describe the network that Purser runs in. */
function textOf(error: Error & { readonly code?: string }): string {
  if (error instanceof DeliveryError) return error.message;
  if (error.name === "TimeoutError" || error instanceof errors.ConnectTimeoutError) return "timeout";
  if (error instanceof errors.SocketError) return "the connection ended before the answer";
  return (error.code ?? error.name).slice(0, 100);
}

/** Reads at most 64 KiB of the answer. A longer one is not read to its end, and its connection is closed. */
async function readStart(answer: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= ANSWER_BYTES_MAX) break;
  }
  return Buffer.concat(chunks).subarray(0, ANSWER_BYTES_MAX).toString("utf8").replaceAll("\u0000", "");
}
