import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MODES, SCOPES } from "../../../foundation/vocabulary.ts";
import { ACCOUNT_AUTHORITY, authorityExcess, type KeyAuthority } from "./key-authority.ts";

/** The small value sets make it likely that one random authority is contained in another. */
const idsFrom = (...names: string[]) => fc.subarray(names);
const anyAuthority: fc.Arbitrary<KeyAuthority> = fc.record({
  mode: fc.constantFrom(...MODES),
  scopes: fc.subarray([...SCOPES.slice(0, 4)]),
  agentIds: idsFrom("a", "b"),
  projectIds: idsFrom("p", "q"),
  ipAllowlist: idsFrom("10.0.0.0/8", "10.1.0.0/16", "10.1.2.3/32", "2001:db8::/32", "192.0.2.0/24"),
  rateLimitPerMinute: fc.constantFrom(null, 1, 60),
  expiresAt: fc.constantFrom(null, new Date(1_000), new Date(2_000)),
});

/**
 * A held authority, and a requested authority that differs from it in some fields. If both were generated
 * independently, the held one would rarely contain the requested one.
 */
const anyRequest = fc
  .tuple(anyAuthority, anyAuthority, fc.subarray(Object.keys(ACCOUNT_AUTHORITY)))
  .map(([held, other, changed]) => ({
    held,
    requested: {
      ...held,
      ...Object.fromEntries(Object.entries(other).filter(([part]) => changed.includes(part))),
    },
  }));

/** A random API call, to be checked against an authority. */
const anyCall = fc.record({
  mode: fc.constantFrom(...MODES),
  scope: fc.constantFrom(...SCOPES.slice(0, 4)),
  agentId: fc.constantFrom("a", "b", "c"),
  projectId: fc.constantFrom("p", "q", "r"),
  from: fc.constantFrom("10.1.2.3", "10.1.9.9", "10.9.9.9", "192.0.2.1", "203.0.113.1", "2001:db8::1"),
  atMs: fc.constantFrom(0, 999, 1_000, 1_999, 2_000),
  callsPerMinute: fc.constantFrom(1, 2, 60, 61),
});
type Call = typeof anyCall extends fc.Arbitrary<infer Value> ? Value : never;

/** The addresses above that are in each network, listed by hand to avoid using the code under test. */
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  "10.0.0.0/8": ["10.1.2.3", "10.1.9.9", "10.9.9.9"],
  "10.1.0.0/16": ["10.1.2.3", "10.1.9.9"],
  "10.1.2.3/32": ["10.1.2.3"],
  "192.0.2.0/24": ["192.0.2.1"],
  "2001:db8::/32": ["2001:db8::1"],
};

/**
 * Returns true if the holder of an authority can make the call. A holder in live mode can also make test calls, because
 * a live key can issue test keys.
 */
function allows(authority: KeyAuthority, call: Call): boolean {
  const { agentIds, projectIds, ipAllowlist, rateLimitPerMinute, expiresAt } = authority;
  return [
    authority.mode === "live" || call.mode === "test",
    authority.scopes.includes(call.scope),
    agentIds.length === 0 || agentIds.includes(call.agentId),
    projectIds.length === 0 || projectIds.includes(call.projectId),
    ipAllowlist.length === 0 || ipAllowlist.some((network) => ADDRESSES[network]?.includes(call.from)),
    expiresAt === null || call.atMs < expiresAt.getTime(),
    rateLimitPerMinute === null || call.callsPerMinute <= rateLimitPerMinute,
  ].every(Boolean);
}

describe("authorityExcess", () => {
  it("allows no key to make a call that its issuer cannot make (10,000 random requests)", () => {
    let granted = 0;
    fc.assert(
      fc.property(anyRequest, anyCall, ({ requested, held }, call) => {
        if (authorityExcess(requested, held).length > 0) return;
        granted += 1;
        if (allows(requested, call)) expect(allows(held, call)).toBe(true);
      }),
      { numRuns: 10_000 },
    );
    expect(granted).toBeGreaterThan(1_000);
  });

  it("allows no increase in authority along a chain of issued keys", () => {
    const chain = fc.array(anyAuthority, { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(chain, anyCall, ([first = ACCOUNT_AUTHORITY, ...authorities], call) => {
        const last = authorities.reduce(
          (held, requested) => (authorityExcess(requested, held).length === 0 ? requested : held),
          first,
        );
        if (allows(last, call)) expect(allows(first, call)).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  it("returns no fields if the held authority is the account's or equals the requested one", () => {
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
  ] as const)("returns %s for the request %j", (part, change) => {
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
