import { describe, expect, it } from "vitest";
import { appendEntries } from "../../../test/audit-trail.ts";
import { useHarness } from "../../../test/harness.ts";
import { newId } from "../../foundation/ids.ts";
import { chainPendingEntries } from "./chain-pending-entries.ts";
import { exportChain } from "./export-chain.ts";

describe("exportChain", () => {
  const harness = useHarness();

  async function arrange(count: number) {
    const tenantId = newId("dev");
    const key = { tenantId, chain: "tenant" } as const;
    await appendEntries(harness.app.db, key, { count });
    const actor = { type: "developer", id: tenantId, key_id: null, ip: null } as const;
    const command = {
      actor: { tenantId, mode: "live", actor, requestId: null },
      chain: "tenant",
    } as const;
    return { key, command };
  }

  async function takeAll(pieces: AsyncIterable<string>): Promise<string[]> {
    const taken: string[] = [];
    for await (const piece of pieces) taken.push(piece);
    return taken;
  }

  it("ends where the chain ended when it began, whatever is added meanwhile", async () => {
    const { key, command } = await arrange(700);
    const pieces = await exportChain(harness.app, command);
    const first = await pieces.next();
    await appendEntries(harness.app.db, key, { count: 900, first: 701 });
    await chainPendingEntries(harness.app.db, key);

    const rest = await takeAll(pieces);

    const lines = [first.value ?? "", ...rest].join("").trimEnd().split("\n");
    expect(lines).toHaveLength(701);
    expect(lines.at(-1)).toContain("audit.exported");
  });

  it("gives a long chain in pieces of some hundred lines", async () => {
    const { command } = await arrange(1_100);

    const pieces = await takeAll(await exportChain(harness.app, command));

    expect(pieces.map((piece) => piece.split("\n").length - 1)).toEqual([500, 500, 101]);
  });
});
