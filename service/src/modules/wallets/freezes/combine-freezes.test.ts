import { describe, expect, it } from "vitest";
import { combineFreezes } from "./freeze-wallets.ts";

type Form = readonly ["developer" | "admin", "outgoing_only" | "full"] | null;

/** The wallet's freeze, the new freeze, and the wallet's freeze after it. Null: none, or unchanged. */
const CASES: readonly (readonly [current: Form, requested: NonNullable<Form>, after: Form])[] = [
  [null, ["developer", "outgoing_only"], ["developer", "outgoing_only"]],
  [null, ["developer", "full"], ["developer", "full"]],
  [null, ["admin", "outgoing_only"], ["admin", "full"]],
  [null, ["admin", "full"], ["admin", "full"]],
  [["developer", "outgoing_only"], ["developer", "outgoing_only"], null],
  [
    ["developer", "outgoing_only"],
    ["developer", "full"],
    ["developer", "full"],
  ],
  [
    ["developer", "outgoing_only"],
    ["admin", "outgoing_only"],
    ["admin", "full"],
  ],
  [
    ["developer", "outgoing_only"],
    ["admin", "full"],
    ["admin", "full"],
  ],
  [["developer", "full"], ["developer", "outgoing_only"], null],
  [["developer", "full"], ["developer", "full"], null],
  [
    ["developer", "full"],
    ["admin", "outgoing_only"],
    ["admin", "full"],
  ],
  [
    ["developer", "full"],
    ["admin", "full"],
    ["admin", "full"],
  ],
  [["admin", "full"], ["developer", "outgoing_only"], null],
  [["admin", "full"], ["developer", "full"], null],
  [["admin", "full"], ["admin", "outgoing_only"], null],
  [["admin", "full"], ["admin", "full"], null],
];

describe("combineFreezes", () => {
  it.each(CASES)("%j, then %j: %j", (current, [source, mode], after) => {
    const wallet = { freezeSource: current?.[0] ?? null, freezeMode: current?.[1] ?? null };

    expect(combineFreezes(wallet, { source, mode })).toEqual(
      after === null ? undefined : { source: after[0], mode: after[1] },
    );
  });
});
