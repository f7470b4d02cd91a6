import { memoize } from "../../foundation/memoize.ts";
import {
  ADDRESS_CHARACTERS_MAX,
  formatNetwork,
  isWithinNetwork,
  networkOfAddress,
  parseNetwork,
} from "../../foundation/networks.ts";

/**
 * Returns the network by which requests are counted and rate-limited: the client's IPv4 address, or the /64 of its IPv6
 * address. The whole /64 counts as one client, because one client can use every address in it.
 */
export const clientNetworkOf = memoize(
  (address) => clientNetwork(address, { ipv4: 32, ipv6: 64 }).replace(/\/32$/, ""),
  ADDRESS_CHARACTERS_MAX,
);

/**
 * Returns the network that an API key's `last_used_ip` shows: the /24 of an IPv4 address or the /64 of an IPv6 address
 * (docs/rules/api-keys.md).
 */
export const coarseNetworkOf = memoize(
  (address) => clientNetwork(address, { ipv4: 24, ipv6: 64 }),
  ADDRESS_CHARACTERS_MAX,
);

/**
 * Returns the network that an internet provider usually assigns to one site: the /24 of an IPv4 address or the /48 of
 * an IPv6 address.
 */
export function siteNetworkOf(address: string): string {
  return clientNetwork(address, { ipv4: 24, ipv6: 48 });
}

function clientNetwork(address: string, prefixBits: { readonly ipv4: number; readonly ipv6: number }): string {
  const network = networkOfAddress(address, prefixBits);
  return network === undefined ? address : formatNetwork(network);
}

/** Returns true if the address is in one of the CIDR networks, or if the list is empty. */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  if (networks.length === 0) return true;
  const client = networkOfAddress(address, { ipv4: 32, ipv6: 128 });
  if (client === undefined) return false;
  return networks.some((text) => {
    const network = parseNetwork(text);
    return network !== undefined && isWithinNetwork(client, network);
  });
}
