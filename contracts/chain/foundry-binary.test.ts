import { expect, test } from "vitest";
import { foundryBinary } from "./foundry-binary.ts";

test("finds the program of this system's package", () => {
  expect(foundryBinary("forge")).toMatch(/@foundry-rs.forge-\w+-\w+.bin.forge/);
});

test("names the package that is missing", () => {
  expect(() => foundryBinary("anvil", { platform: "aix", arch: "x64" })).toThrow(
    "The package @foundry-rs/anvil-aix-amd64 is not installed. Run `npm ci`",
  );
});
