import { describe, expect, it } from "vitest";
import { personName } from "./person.ts";

describe("personName", () => {
  it.each<[string, string | null | undefined, string | null]>([
    ["unchanged", "Ada Lovelace", "Ada Lovelace"],
    ["on one line", " Ada\r\n\tLove\u2028lace\u0000 ", "Ada Love lace"],
    ["without right-to-left marks", "\u202eadA", "adA"],
    ["up to a hundred characters", "😀".repeat(101), "😀".repeat(100)],
    ["null if it is empty", "", null],
    ["null if it has no visible characters", " \n\u200b ", null],
    ["null if the vendor has none", null, null],
    ["null if the vendor does not return one", undefined, null],
  ])("is %s", (_what, name, expected) => {
    expect(personName(name)).toBe(expected);
  });
});
