import { describe, expect, it } from "vitest";
import { personName } from "./person-name.ts";

describe("a person's name", () => {
  it.each<[string, string | null | undefined, string | null]>([
    ["as it is", "Ada Lovelace", "Ada Lovelace"],
    ["in one line", " Ada\r\n\tLove\u2028lace\u0000 ", "Ada Love lace"],
    ["without what turns the line around", "\u202eadA", "adA"],
    ["whole, up to a hundred characters", "😀".repeat(101), "😀".repeat(100)],
    ["none where it is empty", "", null],
    ["none where there is nothing to see", " \n\u200b ", null],
    ["none where the vendor has none", null, null],
    ["none where the vendor says nothing", undefined, null],
  ])("is kept %s", (_what, name, kept) => {
    expect(personName(name)).toBe(kept);
  });
});
