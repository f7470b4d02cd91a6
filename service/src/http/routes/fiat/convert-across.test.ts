import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { postAgent } from "../../../../test/agents/seed-agents.ts";
import { ALLOW_RAMPS, actingOf } from "../../../../test/fiat/acting.ts";
import { type ApiResponse, useHarness } from "../../../../test/harness.ts";
import { seedWallet } from "../../../../test/wallets/seed-wallet.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";

const DIRECTIONS = ["on_ramp", "off_ramp"] as const;
const CALLS_MAX = 1_000_000;
const UNKNOWN = "01k3z5qexrf1xv2hj4nb9c8w7d";

interface Member {
  readonly agentId: string;
  readonly walletId: string;
  readonly projectId: string;
}

interface Side {
  readonly tenant: Awaited<ReturnType<ReturnType<typeof useHarness>["seedTenant"]>>;
  readonly mode: Mode;
  readonly accountId: string;
  readonly members: readonly Member[];
}

type MemberOfSide = Member & { readonly side: Side };

interface Cell {
  readonly caller: Side;
  readonly agent: MemberOfSide | undefined;
  readonly wallet: MemberOfSide;
  readonly project: MemberOfSide;
  readonly account: Side;
}

describe("conversions across tenants, modes, agents and projects", () => {
  const keyBucket = { capacity: CALLS_MAX, refillPerSecond: CALLS_MAX };
  const harness = useHarness({ vendors: true, settings: { keyBucket, failuresPerMinute: CALLS_MAX } });
  const { banks, query, footprint } = actingOf(harness);

  /** Creates a key of a tenant and mode, a verified bank account, and agents with a funded wallet and a project each. */
  async function seedSide({ mode, agents, developerId }: { mode: Mode; agents: number; developerId?: TenantId }) {
    const tenantId = developerId ?? (await harness.seedDeveloper());
    const tenant = { tenantId, ...(await harness.seedKey(tenantId, { mode })) };
    const { body } = await banks.linkBank(tenant);
    await banks.advance();
    const policy = await tenant.post("/policies", { name: randomUUID(), rules: ALLOW_RAMPS });
    const { policy_id } = policy.body;
    const members = await Promise.all(
      Array.from({ length: agents }, async () => {
        const { agent_id: agentId } = await postAgent(tenant, { policy_id });
        const { walletId } = await seedWallet(harness.app, { tenantId, agentId, mode, baseUnits: 900_000_000n });
        const project = await tenant.post("/projects", {
          name: randomUUID(),
          agent_ids: [agentId],
          monthly_cap: "999",
        });
        return { agentId: String(agentId), walletId, projectId: String(project.body.project_id) };
      }),
    );
    return { tenant, mode, accountId: String(body.account.account_id), members };
  }

  async function seedSides() {
    const test = await seedSide({ mode: "test", agents: 2 });
    const live = await seedSide({ mode: "live", agents: 1, developerId: test.tenant.tenantId });
    const foreign = await seedSide({ mode: "test", agents: 1 });
    return [test, live, foreign];
  }

  function send(
    direction: (typeof DIRECTIONS)[number],
    { tenant }: Side,
    { agentId, walletId, projectId, accountId }: Readonly<Record<string, string | undefined>>,
    more: object = {},
  ): Promise<ApiResponse> {
    const account = direction === "on_ramp" ? "source_account_id" : "destination_account_id";
    const body = { [account]: accountId, wallet_id: walletId, project_id: projectId, amount: "10.00", ...more };
    const headers = { "idempotency-key": randomUUID(), ...(agentId !== undefined && { "x-agent-id": agentId }) };
    return tenant.post(`/fiat/${direction.replace("_", "-")}`, body, { headers });
  }

  it.each(DIRECTIONS)(
    "%s: of all wallets, accounts, projects, agents, modes and tenants only those that belong together convert",
    async (direction) => {
      const sides = await seedSides();
      const cells = productOf(sides);
      const answers = [];
      for (const { caller, agent, wallet, project, account } of cells) {
        const ids = { agentId: agent?.agentId, walletId: wallet.walletId, projectId: project.projectId };
        const { body } = await send(direction, caller, { ...ids, accountId: account.accountId });
        answers.push(body.code ?? "converted");
      }

      expect(answers).toEqual(cells.map(expectedOf));
      const [row] = await query(
        "select count(*)::integer as stored from conversions where tenant_id = any($1) and direction = $2",
        [sides.map(({ tenant }) => tenant.tenantId), direction],
      );
      // Two agents and the one of the other tenant, and the developers for each of their wallets.
      expect(row).toEqual({ stored: 6 });
    },
  );

  function expectedOf({ caller, agent, wallet, project, account }: Cell) {
    if (account !== caller) return "fiat_account_not_found";
    // A developer without an acting agent reaches the wallets of all agents of its mode.
    if (wallet.side !== caller || (agent !== undefined && agent !== wallet)) return "wallet_not_found";
    if (project !== wallet) return "validation_error";
    return caller.mode === "live" ? "network_unavailable" : "converted";
  }

  it("404: what belongs to another tenant, mode or agent answers exactly as what does not exist", async () => {
    const [own, live, foreign] = await seedSides();
    const [me, sibling] = own?.members ?? [];
    if (own === undefined || me === undefined) throw new Error("unreachable");
    const mine = { ...me, accountId: own.accountId };
    const detailOf = async (change: object) => {
      const { status, body } = await send("off_ramp", own, { ...mine, ...change });
      return [status, body.code, body.detail, body.errors];
    };

    const noWallet = await detailOf({ walletId: `wal_${UNKNOWN}` });
    const noAccount = await detailOf({ accountId: `ba_${UNKNOWN}` });
    const noProject = await detailOf({ projectId: `proj_${UNKNOWN}` });
    expect([noWallet[0], noAccount[0], noProject[0]]).toEqual([404, 404, 422]);
    for (const other of [live, foreign]) {
      expect(await detailOf({ walletId: other?.members[0]?.walletId })).toEqual(noWallet);
      expect(await detailOf({ accountId: other?.accountId })).toEqual(noAccount);
      expect(await detailOf({ projectId: other?.members[0]?.projectId })).toEqual(noProject);
    }
    expect(await detailOf({ walletId: sibling?.walletId })).toEqual(noWallet);
    expect(await detailOf({ projectId: sibling?.projectId })).toEqual(noProject);
    for (const agentId of [randomUUID(), foreign?.members[0]?.agentId]) {
      expect(await detailOf({ agentId })).toEqual(noWallet);
    }
    for (const malformed of ["x", "wal_", `ba_${UNKNOWN}x`]) {
      expect(await detailOf({ walletId: malformed })).toEqual(noWallet);
      expect(await detailOf({ accountId: malformed })).toEqual(noAccount);
    }
    expect((await send("off_ramp", own, { ...mine, agentId: "not-a-uuid" })).status).toBe(422);
  });

  it("422: a wallet whose agent has several projects needs project_id; without a project there is no cap", async () => {
    const side = await seedSide({ mode: "test", agents: 1 });
    const [member] = side.members;
    const unnamed = { ...member, projectId: undefined, accountId: side.accountId };
    expect((await send("off_ramp", side, unnamed)).status).toBe(200);
    const { body } = await side.tenant.post("/projects", {
      name: "More",
      agent_ids: [member?.agentId],
      monthly_cap: "5",
    });

    const several = await send("off_ramp", side, unnamed);
    expect([several.status, several.body.errors?.[0]?.pointer]).toEqual([422, "/body/project_id"]);
    const capped = await send("off_ramp", side, { ...unnamed, projectId: body.project_id });
    expect([capped.status, capped.body.code]).toEqual([403, "cap_exceeded"]);
    const agent = await postAgent(side.tenant);
    const alone = { tenantId: side.tenant.tenantId, agentId: agent.agent_id, baseUnits: 900_000_000n };
    const { walletId } = await seedWallet(harness.app, alone);
    const uncapped = await send("off_ramp", side, { walletId, accountId: side.accountId }, { amount: "800.00" });
    expect([uncapped.status, uncapped.body.payment_reserved]).toEqual([200, false]);
  });

  it("503: live conversions and quotes, after all other refusals; no row, no call to Bridge, and the key can be used again", async () => {
    const live = await seedSide({ mode: "live", agents: 1 });
    const [member] = live.members;
    const { tenantId } = live.tenant;
    const mine = { ...member, accountId: live.accountId };
    const before = await footprint(tenantId);
    const codeOf = async (direction: (typeof DIRECTIONS)[number], more: object, change: object = {}) =>
      (await send(direction, live, { ...mine, ...change }, more)).body.code;

    for (const direction of DIRECTIONS) {
      for (const more of [{}, { execute: false }, { validate_only: true }]) {
        expect([more, await codeOf(direction, more)]).toEqual([more, "network_unavailable"]);
        expect(await codeOf(direction, { ...more, amount: "0.50" })).toBe("validation_error");
        expect(await codeOf(direction, more, { walletId: `wal_${UNKNOWN}` })).toBe("wallet_not_found");
        expect(await codeOf(direction, { ...more, max_fee: "0.00" })).toBe("policy_denied");
      }
    }
    expect(await codeOf("off_ramp", { amount: "998.99" })).toBe("insufficient_funds");
    expect(await footprint(tenantId)).toEqual(before);
    const [kept] = await query(
      "select count(*)::integer as keys from idempotency_records where tenant_id = $1 and route like '%ramp%'",
      [tenantId],
    );
    // The refusals with 403, 404 and 402, but no 422 and no 503.
    expect(kept).toEqual({ keys: 9 });
    await query("update fiat_accounts set status = 'relink_required' where tenant_id = $1", [tenantId]);
    for (const direction of DIRECTIONS) expect(await codeOf(direction, {})).toBe("conflict");
    await live.tenant.post(`/agents/${member?.agentId}/suspend`);
    for (const direction of DIRECTIONS) expect(await codeOf(direction, {})).toBe("agent_suspended");
    expect(await footprint(tenantId)).toMatchObject({ conversions: before["conversions"], bridge: before.bridge });
  });
});

describe("conversions where a verified business is required", () => {
  const harness = useHarness({ vendors: true, settings: { kybRequiredFor: ["fiat"] } });

  it.each(DIRECTIONS)(
    "403 kyb_required: live %s, also if the account does not exist; not in test mode",
    async (direction) => {
      const tenantId = await harness.seedDeveloper();
      const codes = ["live", "test"].map(async (mode) => {
        const key = await harness.seedKey(tenantId, { mode: mode as Mode });
        const account = direction === "on_ramp" ? "source_account_id" : "destination_account_id";
        const body = { [account]: `ba_${UNKNOWN}`, wallet_id: `wal_${UNKNOWN}`, amount: "5.00" };
        return (await key.post(`/fiat/${direction.replace("_", "-")}`, body)).body.code;
      });

      expect(await Promise.all(codes)).toEqual(["kyb_required", "fiat_account_not_found"]);
    },
  );
});

/** Every combination of a caller, an agent or none, a wallet, a project and a bank account. */
function productOf(sides: readonly Side[]): Cell[] {
  const members = sides.flatMap((side) => side.members.map((member) => ({ side, ...member })));
  return sides.flatMap((caller) =>
    [...members, undefined].flatMap((agent) =>
      members.flatMap((wallet) =>
        members.flatMap((project) => sides.map((account) => ({ caller, agent, wallet, project, account }))),
      ),
    ),
  );
}
