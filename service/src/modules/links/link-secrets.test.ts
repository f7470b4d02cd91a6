import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { TenantVault } from "../../vault/vault.ts";
import { openAccess, openPending } from "./link-secrets.ts";

const LINK = { linkId: "lnk_1", version: 0 };

/** Returns a vault that decrypts every value to this text. */
function vaultOf(plaintext: string): TenantVault {
  return {
    sealsUnder: 1,
    seal: () => Buffer.from(plaintext),
    open: () => Buffer.from(plaintext),
    fingerprint: () => "",
  };
}

function thrownBy(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}

describe("openAccess and openPending: the plaintext has an unexpected format", () => {
  it.each([
    JSON.stringify({ accessToken: "canary", refreshToken: 1 }),
    JSON.stringify({ flow: "oauth", state: "canary" }),
    JSON.stringify("canary"),
    "canary, not JSON",
    '{"accessToken":"canary"',
  ])("throw an error that does not contain the plaintext: %s", (plaintext) => {
    const vault = vaultOf(plaintext);

    const errors = [
      thrownBy(() => openAccess(vault, LINK, Buffer.of())),
      thrownBy(() => openPending(vault, LINK.linkId, Buffer.of())),
    ];

    for (const error of errors) {
      expect(error).toBeInstanceOf(Error);
      expect(inspect(error, { depth: null, showHidden: true })).not.toContain("canary");
    }
  });
});
