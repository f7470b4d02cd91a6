import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../test/accounts.ts";
import { useHarness } from "../../../../test/harness.ts";
import { purgeExpiredRows } from "../../../due-work/retention/purge-expired-rows.ts";
import type { TenantId } from "../../../foundation/ids.ts";

const DAY_SECONDS = 86_400;

describe("purging ended sessions and tokens", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);

  async function countOf(tenantId: string, table: "sessions" | "refreshTokens" | "emailTokens") {
    const rows = await harness.app.db
      .selectFrom(table)
      .select("tenantId")
      .where("tenantId", "=", tenantId as TenantId)
      .execute();
    return rows.length;
  }

  it("deletes only sessions that ended more than a week ago, with their tokens", async () => {
    const ended = await accounts.seedAccount();
    harness.clock.advanceSeconds(36 * DAY_SECONDS);
    const valid = await accounts.seedAccount();

    await purgeExpiredRows(harness.app);
    expect(await countOf(ended.developerId, "sessions")).toBe(1);
    harness.clock.advanceSeconds(1.5 * DAY_SECONDS);
    await purgeExpiredRows(harness.app);

    expect(await countOf(ended.developerId, "sessions")).toBe(0);
    expect(await countOf(ended.developerId, "refreshTokens")).toBe(0);
    expect(await countOf(valid.developerId, "sessions")).toBe(1);
    expect(await countOf(valid.developerId, "refreshTokens")).toBe(1);
  });

  it("deletes only expired emailed tokens", async () => {
    const forgot = (email: string) =>
      harness.send({
        method: "POST",
        url: "/api/v1/svc/developers/password/forgot",
        payload: { email },
      });
    const early = await accounts.seedAccount();
    const late = await accounts.seedAccount();
    await forgot(early.email);
    harness.clock.advanceSeconds(2 * DAY_SECONDS);
    await forgot(late.email);

    await purgeExpiredRows(harness.app);

    expect(await countOf(early.developerId, "emailTokens")).toBe(0);
    expect(await countOf(late.developerId, "emailTokens")).toBe(1);
  });
});
