import { BlockList, isIPv6 } from "node:net";

/** The client's network: an IPv4 address as it is, of an IPv6 address its first 64 bits, since one caller has all the rest. */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = "", tail = ""] = address.split("%", 1).join("").split("::");
  const left = head.split(":").filter(Boolean);
  const right = address.includes("::") ? tail.split(":").filter(Boolean) : [];
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => "0");
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}

/** As it is shown where a key was used from (contract, section 1): of an IPv4 address, too, only the network. */
export function coarseNetworkOf(address: string): string {
  const network = networkOf(address);
  return network.includes(":") ? network : `${network.slice(0, network.lastIndexOf("."))}.0/24`;
}

export function isLoopback(address: string): boolean {
  return address === "::1" || networkOf(address).startsWith("127.");
}

/**
 * Whether the address lies in one of the networks (CIDR). No networks: every address does. None of IPv6 has an IPv4 address
 * in it, although the platform looks for those among the mapped ones.
 */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  if (networks.length === 0) return true;
  const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  const family = familyOf(plain);
  const list = new BlockList();
  for (const network of networks) {
    const [base = "", bits] = network.split("/");
    if (familyOf(base) !== family) continue;
    list.addSubnet(base, Number(bits ?? (family === "ipv6" ? 128 : 32)), family);
  }
  return list.check(plain, family);
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIPv6(address) ? "ipv6" : "ipv4";
}
