import { describe, expect, it } from "vitest";
import { appendEntries } from "../../../test/audit-trail.ts";
import { useHarness } from "../../../test/harness.ts";
import { newId } from "../../foundation/ids.ts";
import { chainPendingEntries } from "./chain-pending-entries.ts";
import { exportChain } from "./chains.ts";

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

  async function collect(chunks: AsyncIterable<string>): Promise<string[]> {
    const collected: string[] = [];
    for await (const chunk of chunks) collected.push(chunk);
    return collected;
  }

  it("does not include entries that are added after it started", async () => {
    const { key, command } = await arrange(700);
    const chunks = await exportChain(harness.app, command);
    const first = await chunks.next();
    await appendEntries(harness.app.db, key, { count: 900, first: 701 });
    await chainPendingEntries(harness.app.db, key);

    const rest = await collect(chunks);

    const lines = [first.value ?? "", ...rest].join("").trimEnd().split("\n");
    expect(lines).toHaveLength(701);
    expect(lines.at(-1)).toContain("audit.exported");
  });

  it("returns a long chain in chunks of 500 lines", async () => {
    const { command } = await arrange(1_100);

    const chunks = await collect(await exportChain(harness.app, command));

    expect(chunks.map((chunk) => chunk.split("\n").length - 1)).toEqual([500, 500, 101]);
  });
});
