import { expect, test } from "vitest";
import { gasTables, missedGoals } from "./figures.ts";

test("a goal is missed by one gas more, and not by the goal itself", () => {
  const figures = [
    { name: "Freeze", gas: 40_500n, goal: 40_500n },
    { name: "Transfer", gas: 113_501n, goal: 113_500n },
    { name: "Unfreeze", gas: 40_000n },
  ];
  expect(missedGoals(figures)).toEqual(["Transfer: 113,501 gas, at most 113,500"]);
});

test("the tables say which transaction an account refuses, and which account is not measured", () => {
  const account = {
    account: "AgentAccount",
    createAndTransfer: 252_831n,
    selfPaidTransfer: "refused",
    sponsoredTransfer: 119_332n,
  };
  expect(
    gasTables(
      [account, { account: "Kernel", missing: "not measured" }],
      [{ name: "Freeze", gas: 38_808n, goal: 40_500n }],
    ).split("\n"),
  ).toEqual([
    "| Account | Create and transfer | Transfer, self-paid | Transfer, sponsored |",
    "| --- | ---: | ---: | ---: |",
    "| AgentAccount | 252,831 | refused | 119,332 |",
    "| Kernel | not measured |  |  |",
    "",
    "| Transaction | Gas | Goal |",
    "| --- | ---: | ---: |",
    "| Freeze | 38,808 | at most 40,500 |",
  ]);
});
