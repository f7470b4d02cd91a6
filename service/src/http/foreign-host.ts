import type { FastifyRequest } from "fastify";
import { AppError } from "../foundation/errors.ts";
import type { Settings } from "../foundation/settings.ts";

const LOOPBACK_NAMES: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** DNS rebinding: a page elsewhere could point its own name at this machine, and read what we answer. */
export function refuseForeignHost({ hostname }: FastifyRequest, settings: Settings): void {
  if (!settings.loopbackHostsOnly || LOOPBACK_NAMES.has(hostname)) return;
  if (hostname !== new URL(settings.publicUrl).hostname) throw new AppError("misdirected_request");
}
