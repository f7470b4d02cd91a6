import { memoize } from "../../foundation/memoize.ts";
import {
  ADDRESS_CHARACTERS_MAX,
  formatNetwork,
  isWithinNetwork,
  networkOfAddress,
  parseNetwork,
} from "../../foundation/networks.ts";

/** What a client is counted and recorded under: an IPv4 address; of an IPv6 address its /64, all of which one client may use. */
export const networkOf = memoize(
  (address) => clientNetwork(address, { ipv4: 32, ipv6: 64 }).replace(/\/32$/, ""),
  ADDRESS_CHARACTERS_MAX,
);

/** As shown for the last use of a key (contract, section 1): for an IPv4 address only its /24, too. */
export const coarseNetworkOf = memoize(
  (address) => clientNetwork(address, { ipv4: 24, ipv6: 64 }),
  ADDRESS_CHARACTERS_MAX,
);

/** The network that an operator usually gives to one customer or site: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export function siteNetworkOf(address: string): string {
  return clientNetwork(address, { ipv4: 24, ipv6: 48 });
}

/** The client's network in CIDR form. An address with a zone counts without it. */
function clientNetwork(
  address: string,
  prefixBits: { readonly ipv4: number; readonly ipv6: number },
): string {
  const network = networkOfAddress(address.replace(/%.*$/, ""), prefixBits);
  return network === undefined ? address : formatNetwork(network);
}

/** Whether the address is in one of the networks (CIDR). With no networks, every address is. */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  if (networks.length === 0) return true;
  const client = networkOfAddress(address, { ipv4: 32, ipv6: 128 });
  if (client === undefined) return false;
  return networks.some((text) => {
    const network = parseNetwork(text);
    return network !== undefined && isWithinNetwork(client, network);
  });
}
