import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MODES, SCOPES } from "../../../foundation/vocabulary.ts";
import { ACCOUNT_AUTHORITY, authorityExcess, type KeyAuthority } from "./key-authority.ts";

/** Few enough values that two authorities at random are often comparable. */
const ids = (...names: string[]) => fc.subarray(names);
const anyAuthority: fc.Arbitrary<KeyAuthority> = fc.record({
  mode: fc.constantFrom(...MODES),
  scopes: fc.subarray([...SCOPES.slice(0, 4)]),
  agentIds: ids("a", "b"),
  projectIds: ids("p", "q"),
  ipAllowlist: ids("10.0.0.0/8", "10.1.0.0/16", "10.1.2.3/32", "2001:db8::/32", "192.0.2.0/24"),
  rateLimitPerMinute: fc.constantFrom(null, 1, 60),
  expiresAt: fc.constantFrom(null, new Date(1_000), new Date(2_000)),
});

/** An authority and what is asked for under it: two at random are seldom comparable, so the second has some parts of the first. */
const anyRequest = fc
  .tuple(anyAuthority, anyAuthority, fc.subarray(Object.keys(ACCOUNT_AUTHORITY)))
  .map(([held, other, changed]) => ({
    held,
    wanted: {
      ...held,
      ...Object.fromEntries(Object.entries(other).filter(([part]) => changed.includes(part))),
    },
  }));

/** Something that a request may or may not be let do. */
const anyDeed = fc.record({
  mode: fc.constantFrom(...MODES),
  scope: fc.constantFrom(...SCOPES.slice(0, 4)),
  agentId: fc.constantFrom("a", "b", "c"),
  projectId: fc.constantFrom("p", "q", "r"),
  from: fc.constantFrom(
    "10.1.2.3",
    "10.1.9.9",
    "10.9.9.9",
    "192.0.2.1",
    "203.0.113.1",
    "2001:db8::1",
  ),
  atMs: fc.constantFrom(0, 999, 1_000, 1_999, 2_000),
  callsPerMinute: fc.constantFrom(1, 2, 60, 61),
});
type Deed = typeof anyDeed extends fc.Arbitrary<infer Value> ? Value : never;

/** Which addresses the networks above hold, written out by hand. */
const HOLDS: Readonly<Record<string, readonly string[]>> = {
  "10.0.0.0/8": ["10.1.2.3", "10.1.9.9", "10.9.9.9"],
  "10.1.0.0/16": ["10.1.2.3", "10.1.9.9"],
  "10.1.2.3/32": ["10.1.2.3"],
  "192.0.2.0/24": ["192.0.2.1"],
  "2001:db8::/32": ["2001:db8::1"],
};

/** What the holder of an authority can bring about, by keys of the other mode that it may issue too. */
function allows(authority: KeyAuthority, deed: Deed): boolean {
  const { agentIds, projectIds, ipAllowlist, rateLimitPerMinute, expiresAt } = authority;
  return [
    authority.mode === "live" || deed.mode === "test",
    authority.scopes.includes(deed.scope),
    agentIds.length === 0 || agentIds.includes(deed.agentId),
    projectIds.length === 0 || projectIds.includes(deed.projectId),
    ipAllowlist.length === 0 || ipAllowlist.some((network) => HOLDS[network]?.includes(deed.from)),
    expiresAt === null || deed.atMs < expiresAt.getTime(),
    rateLimitPerMinute === null || deed.callsPerMinute <= rateLimitPerMinute,
  ].every(Boolean);
}

describe("what a key may give away", () => {
  it("lets nobody do by the given what they could not do by their own, over ten thousand grants", () => {
    let granted = 0;
    fc.assert(
      fc.property(anyRequest, anyDeed, ({ wanted, held }, deed) => {
        if (authorityExcess(wanted, held).length > 0) return;
        granted += 1;
        if (allows(wanted, deed)) expect(allows(held, deed)).toBe(true);
      }),
      { numRuns: 10_000 },
    );
    expect(granted).toBeGreaterThan(1_000);
  });

  it("has no way up over any number of hands", () => {
    const chain = fc.array(anyAuthority, { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(chain, anyDeed, ([first = ACCOUNT_AUTHORITY, ...asked], deed) => {
        const last = asked.reduce(
          (held, wanted) => (authorityExcess(wanted, held).length === 0 ? wanted : held),
          first,
        );
        if (allows(last, deed)) expect(allows(first, deed)).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  it("never refuses what the owner asks for, nor a key's own equal", () => {
    fc.assert(
      fc.property(anyAuthority, (authority) => {
        expect(authorityExcess(authority, ACCOUNT_AUTHORITY)).toEqual([]);
        expect(authorityExcess(authority, authority)).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ["mode", { mode: "live" }],
    ["scopes", { scopes: ["projects:read", "projects:write"] }],
    ["agentIds", { agentIds: [] }],
    ["agentIds", { agentIds: ["a", "b"] }],
    ["projectIds", { projectIds: [] }],
    ["projectIds", { projectIds: ["q"] }],
    ["ipAllowlist", { ipAllowlist: [] }],
    ["ipAllowlist", { ipAllowlist: ["10.0.0.0/8"] }],
    ["ipAllowlist", { ipAllowlist: ["10.1.0.0/16", "nonsense"] }],
    ["rateLimitPerMinute", { rateLimitPerMinute: null }],
    ["rateLimitPerMinute", { rateLimitPerMinute: 61 }],
    ["expiresAt", { expiresAt: null }],
    ["expiresAt", { expiresAt: new Date(1_001) }],
  ] as const)("names %s where %j is asked for", (part, change) => {
    const held: KeyAuthority = {
      mode: "test",
      scopes: ["projects:read"],
      agentIds: ["a"],
      projectIds: ["p"],
      ipAllowlist: ["10.1.0.0/16"],
      rateLimitPerMinute: 60,
      expiresAt: new Date(1_000),
    };

    expect(authorityExcess({ ...held, ...change }, held)).toEqual([part]);
  });
});
