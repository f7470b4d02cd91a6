import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../foundation/errors.ts";
import { clientNetworkOf } from "./auth/client-network.ts";

/**
 * The maximum number of unsent bytes per tenant, and per network for callers without a tenant. The maximum per network
 * is larger, because users share networks and the API reference's script alone is 4 MB.
 */
const OWNER_BYTES_MAX = { tenants: 4 * 1024 * 1024, public: 16 * 1024 * 1024 };
/**
 * The maximum number of unsent bytes for each of two groups: all tenants, and all callers without a tenant. The limits
 * are separate, so that callers without a tenant cannot use up the tenants' memory.
 */
const GROUP_BYTES_MAX = 64 * 1024 * 1024;
/** Smaller responses fit into the socket's buffers and are not counted. */
const COUNTED_FROM_BYTES = 16 * 1024;
/** The assumed size of a stream's buffers. */
const STREAM_BYTES = 1024 * 1024;
/** The assumed size of the buffers of a stream that sends little, and stays open. */
export const EVENT_STREAM_BYTES = COUNTED_FROM_BYTES;

/** Limits the bytes of responses that are not sent yet. Otherwise clients that do not read could use up the memory. */
export class UnsentBytes {
  readonly #totals = { tenants: 0, public: 0 };
  readonly #byOwner = new Map<string, number>();
  readonly #byReply = new Map<FastifyReply["raw"], number>();

  /**
   * Counts a response until it is sent or its connection is closed. A second call for the same response replaces its
   * size. Throws a 429 if the caller has too many unsent bytes, and a 503 if all callers of the same group together
   * have too many. A caller without unsent bytes can get one response of any size, unless the group's limit is reached.
   */
  hold(request: FastifyRequest, reply: FastifyReply, bytes: number): void {
    const owner = ownerOf(request);
    const counted = this.#byReply.get(reply.raw);
    if (counted === undefined && bytes < COUNTED_FROM_BYTES) return;
    if (counted === undefined) {
      // Only a GET can be rejected here. Other requests have already made their change, so their response must be sent.
      if (request.method === "GET") this.#checkLimits(owner, bytes);
      reply.raw.once("close", () => this.#set(reply.raw, owner, 0));
    }
    this.#set(reply.raw, owner, bytes);
  }

  #checkLimits({ name, group }: Owner, bytes: number): void {
    const own = this.#byOwner.get(name) ?? 0;
    if (own > 0 && own + bytes > OWNER_BYTES_MAX[group]) {
      throw new AppError("rate_limited", {
        detail: "Several large responses have not been read yet. Read them, then try again.",
      });
    }
    const total = this.#totals[group];
    if (total > 0 && total + bytes > GROUP_BYTES_MAX) {
      throw new AppError("service_unavailable", { internal: "too many unsent response bytes" });
    }
  }

  #set(raw: FastifyReply["raw"], { name, group }: Owner, bytes: number): void {
    const change = bytes - (this.#byReply.get(raw) ?? 0);
    const own = (this.#byOwner.get(name) ?? 0) + change;
    this.#totals[group] += change;
    if (own === 0) this.#byOwner.delete(name);
    else this.#byOwner.set(name, own);
    if (bytes === 0) this.#byReply.delete(raw);
    else this.#byReply.set(raw, bytes);
  }
}

interface Owner {
  readonly name: string;
  readonly group: "tenants" | "public";
}

/** The address of a client that has closed the connection is undefined, although its type says otherwise. */
function ownerOf({ principal, ip }: FastifyRequest): Owner {
  if (principal === null) return { name: clientNetworkOf(ip ?? ""), group: "public" };
  return { name: principal.tenantId, group: "tenants" };
}

/** Returns how many bytes of memory a payload takes while it is sent. */
export function bytesOf(payload: unknown): number {
  if (typeof payload === "string") return payload.length;
  if (Buffer.isBuffer(payload)) return payload.length;
  return payload === null || payload === undefined ? 0 : STREAM_BYTES;
}
