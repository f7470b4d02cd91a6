import { expect, it } from "vitest";
import { defaultKeyScopes, MODES, SCOPES } from "./vocabulary.ts";

it.each([
  ["live", ["approvals:write"]],
  ["test", ["approvals:write", "audit:read"]],
] as const)("all scopes but some: the default of a %s key lacks %j", (mode, missing) => {
  const scopes = defaultKeyScopes(mode);

  expect(SCOPES.filter((scope) => !scopes.includes(scope)).sort()).toEqual(missing);
});

it("a scope of every key: both modes have a default", () => {
  for (const mode of MODES) expect(defaultKeyScopes(mode)).toContain("projects:read");
});
