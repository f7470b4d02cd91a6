import { expect, it } from "vitest";
import { defaultKeyScopes, MODES, SCOPES } from "./vocabulary.ts";

it.each([
  ["live", ["approvals:write"]],
  ["test", ["approvals:write", "audit:read"]],
] as const)("the default scopes of a %s key are all scopes except %j", (mode, missing) => {
  const scopes = defaultKeyScopes(mode);

  expect(SCOPES.filter((scope) => !scopes.includes(scope)).sort()).toEqual(missing);
});

it("the default scopes of both modes contain projects:read", () => {
  for (const mode of MODES) expect(defaultKeyScopes(mode)).toContain("projects:read");
});
