import type { FastifyRequest } from "fastify";
import type { FinishedLink } from "../../../../modules/links/receive-oauth-callback.ts";
import type { LinkClient } from "../../../../modules/links/record-link-change.ts";
import { networkOf } from "../../../auth/client-network.ts";

/** Returns the client that completes a link, for the audit entry. */
export function linkClientOf(request: FastifyRequest): LinkClient {
  return { network: networkOf(request.ip), requestId: request.id };
}

/**
 * Returns the URL to redirect the browser to, including `link_id` and `status`. Returns null if the browser must get
 * the completed-link page instead.
 */
export function returnAddressOf({ link, returnTo }: FinishedLink): string | null {
  if (returnTo === null) return null;
  const address = new URL(returnTo);
  address.searchParams.set("link_id", link.linkId);
  address.searchParams.set("status", link.status);
  return address.href;
}
