import { describe, expect, it } from "vitest";
import { readLocalLimits } from "./local-limits.ts";

describe("readLocalLimits", () => {
  it("reads limits from the environment and ignores other variables", () => {
    const taken = readLocalLimits({
      PURSER_SIGNUPS_PER_HOUR: "3",
      PURSER_SYNC_WAIT_MS: "50",
      PURSER_EXEMPT_LOOPBACK: "no",
      PURSER_WALLET_SIGNER: "turnkey",
      // Variables that belong to a different Purser installation.
      DATABASE_URL: "postgres://db.example.com/purser",
      PURSER_PUBLIC_URL: "https://purser.example.com",
    });

    expect(taken).toEqual({
      PURSER_SIGNUPS_PER_HOUR: "3",
      PURSER_SYNC_WAIT_MS: "50",
      PURSER_EXEMPT_LOOPBACK: "no",
      PURSER_WALLET_SIGNER: "turnkey",
    });
    expect(readLocalLimits({ PURSER_SIGNUPS_PER_HOUR: "" })).toEqual({});
    const anchor = { PURSER_AUDIT_ANCHOR_EVM: `base-sepolia:0x${"ab".repeat(20)}` };
    expect(readLocalLimits(anchor)).toEqual({
      ...anchor,
      PURSER_ANCHOR_KEY: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
  });

  it("StartError: lists each invalid variable", () => {
    const variables = { PURSER_KEY_BURST: "many", PURSER_EXEMPT_LOOPBACK: "1", PURSER_AUDIT_ANCHOR_EVM: "base" };
    const read = () => readLocalLimits(variables);

    expect(read).toThrow(
      "PURSER_KEY_BURST is not a whole number of at least 1.\nPURSER_EXEMPT_LOOPBACK must be one of no, yes.\nPURSER_AUDIT_ANCHOR_EVM is not an EVM network",
    );
  });
});
