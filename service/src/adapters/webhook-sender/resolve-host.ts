import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";

/** A name server gets two attempts, so a name whose servers do not answer fails after about five seconds. */
const RESOLVER_OPTIONS = { timeout: 1_500, tries: 2 } as const;
const LOOPBACK: readonly LookupAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/**
 * Returns a function that resolves the names of customers' hosts. It asks the name servers itself, because `dns.lookup` blocks
 * one of the process's few threads until an answer comes: names whose servers never answer would delay all other work.
 *
 * @param servers addresses of name servers, such as `127.0.0.1:53`; those of the system if left out
 */
export function createHostResolver(servers?: readonly string[]) {
  const resolver = new Resolver(RESOLVER_OPTIONS);
  if (servers !== undefined) resolver.setServers(servers);
  return async (hostname: string): Promise<readonly LookupAddress[]> => {
    if (hostname === "localhost") return LOOPBACK;
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = [
      ...(v4.status === "fulfilled" ? v4.value : []).map((address) => ({ address, family: 4 })),
      ...(v6.status === "fulfilled" ? v6.value : []).map((address) => ({ address, family: 6 })),
    ];
    if (addresses.length === 0 && v4.status === "rejected") throw v4.reason;
    return addresses;
  };
}
