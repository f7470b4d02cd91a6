import type { FastifyRequest } from "fastify";
import type { LinkClient, SettledLink } from "../../../../modules/projects/index.ts";
import { networkOf } from "../../../auth/client-network.ts";

/** Who completes a link by its one-time address, as the audit trail notes it. */
export function linkClientOf(request: FastifyRequest): LinkClient {
  return { network: networkOf(request.ip), requestId: request.id };
}

/** Where a browser goes from here, with what became of the link. Null: nowhere. */
export function returnAddressOf({ link, returnTo }: SettledLink): string | null {
  if (returnTo === null) return null;
  const address = new URL(returnTo);
  address.searchParams.set("link_id", link.linkId);
  address.searchParams.set("status", link.status);
  return address.href;
}
