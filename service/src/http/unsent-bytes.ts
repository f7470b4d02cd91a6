import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../foundation/errors.ts";
import { networkOf } from "./auth/client-network.ts";

/** Without a credential more than a tenant: many people share an address, and the API reference alone is 4 MB. */
const OWNER_BYTES_MAX = { tenants: 4 * 1024 * 1024, public: 16 * 1024 * 1024 };
/** Of all tenants together, and of all callers without a credential together, who therefore cannot use up what is the tenants'. */
const GROUP_BYTES_MAX = 64 * 1024 * 1024;
/** Smaller answers fit into the socket's own buffers. */
const COUNTED_FROM_BYTES = 16 * 1024;
/** What an answer that is made while it is sent holds at a time. */
const STREAM_BYTES = 1024 * 1024;

/** The bytes of answers that were made, or are being made, and not sent yet: readers who do not read would fill the memory. */
export class UnsentBytes {
  readonly #totals = { tenants: 0, public: 0 };
  readonly #byOwner = new Map<string, number>();
  readonly #byReply = new Map<FastifyReply["raw"], number>();

  /**
   * Counts an answer until it is sent, or its connection is closed. Called again for the same answer it corrects the number.
   * Throws 429 where the caller has too much unsent, and 503 where all callers together have: one answer of whatever size is
   * always allowed to a caller with nothing unsent.
   */
  hold(request: FastifyRequest, reply: FastifyReply, bytes: number): void {
    const owner = ownerOf(request);
    const held = this.#byReply.get(reply.raw);
    if (held === undefined && bytes < COUNTED_FROM_BYTES) return;
    if (held === undefined) {
      // An answer to a change is never replaced by a refusal: the change has been made.
      if (request.method === "GET") this.#refuseOverflow(owner, bytes);
      reply.raw.once("close", () => this.#set(reply.raw, owner, 0));
    }
    this.#set(reply.raw, owner, bytes);
  }

  #refuseOverflow({ name, group }: Owner, bytes: number): void {
    const own = this.#byOwner.get(name) ?? 0;
    if (own > 0 && own + bytes > OWNER_BYTES_MAX[group]) {
      throw new AppError("rate_limited", {
        detail: "Too many large answers have not been read yet. Read them, then try again.",
      });
    }
    const total = this.#totals[group];
    if (total > 0 && total + bytes > GROUP_BYTES_MAX) {
      throw new AppError("service_unavailable", { internal: "too many unsent answer bytes" });
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

function ownerOf({ principal, ip }: FastifyRequest): Owner {
  if (principal === null) return { name: networkOf(ip), group: "public" };
  return { name: principal.tenantId, group: "tenants" };
}

/** How many bytes an answer takes while it is sent. */
export function bytesOf(payload: unknown): number {
  if (typeof payload === "string") return payload.length;
  if (Buffer.isBuffer(payload)) return payload.length;
  return payload === null || payload === undefined ? 0 : STREAM_BYTES;
}
