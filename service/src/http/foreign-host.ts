import type { FastifyRequest } from "fastify";
import { AppError } from "../foundation/errors.ts";
import type { Settings } from "../foundation/settings.ts";

const LOOPBACK_NAMES: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * Prevents DNS rebinding on a loopback server: another site could point its own domain at 127.0.0.1 and read responses.
 * Throws `misdirected_request` if the Host is neither a loopback name nor the server's public hostname.
 */
export function checkHostName({ hostname }: FastifyRequest, settings: Settings): void {
  if (!settings.loopbackHostsOnly || LOOPBACK_NAMES.has(hostname)) return;
  if (hostname !== new URL(settings.publicUrl).hostname) throw new AppError("misdirected_request");
}
