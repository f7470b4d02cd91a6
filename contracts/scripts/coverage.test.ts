import { expect, test } from "vitest";
import { readCoverage } from "./coverage.ts";

test("counts the lines and branches under src/, and lists what is missed", () => {
  const lcov = [
    "SF:src/Account.sol",
    "DA:10,3",
    "DA:12,0",
    "DA:11,0",
    "BRDA:10,0,0,2",
    "BRDA:10,0,1,0",
    "BRDA:12,1,0,-",
    "end_of_record",
    "SF:src/Library.sol",
    "DA:1,1",
    "BRDA:1,0,0,1",
    "end_of_record",
    "SF:test/Account.t.sol",
    "DA:1,0",
    "BRDA:1,0,0,-",
    "end_of_record",
  ];
  expect(readCoverage(lcov.join("\n"))).toEqual({
    linesPercent: 50,
    branchesPercent: 50,
    missed: ["src/Account.sol: 10, 11, 12"],
  });
});

test("a report without files covers nothing", () => {
  expect(readCoverage("")).toEqual({ linesPercent: 0, branchesPercent: 0, missed: [] });
});
