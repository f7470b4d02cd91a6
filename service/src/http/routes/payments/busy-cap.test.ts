import { expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { seedPayer } from "../../../../test/payments/pay.ts";

const harness = useHarness({ environment: { PURSER_KEY_BURST: "10000000" } });

it("200: 500 payments of 100 callers under one cap wait in turn", { timeout: 60_000 }, async () => {
  const first = await seedPayer(harness);
  const payers = [first];
  for (let count = 1; count < 20; count += 1) {
    payers.push(await seedPayer(harness, { tenant: first.tenant }));
  }
  const agent_ids = payers.map(({ agentId }) => agentId);
  await first.tenant.post("/projects", { name: "shop", monthly_cap: "10000.00", agent_ids });

  const answers = await Promise.all(
    Array.from({ length: 100 }, async (_none, caller) => {
      const payer = payers[caller % payers.length] ?? first;
      const statuses: number[] = [];
      for (let count = 0; count < 5; count += 1) {
        const { status, body } = await payer.pay({ amount: "0.01" });
        statuses.push(body.project_id === null ? 0 : status);
      }
      return statuses;
    }),
  );

  expect(answers.flat()).toEqual(Array(500).fill(200));
});
