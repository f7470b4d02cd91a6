import { randomUUID } from "node:crypto";
import type { App } from "@purser/service/app.ts";
import { composeApp } from "@purser/service/compose.ts";
import type { Config } from "@purser/service/config.ts";
import { withTransaction } from "@purser/service/db/transaction.ts";
import type { TenantId, WalletId } from "@purser/service/foundation/ids.ts";
import { ensureStarterPolicy } from "@purser/service/modules/policies/ensure-starter-policy.ts";
import { seedWallet } from "../../../service/test/wallets/seed-wallet.ts";
import { serveParent } from "../server-process.ts";
import { type Developer, seedDeveloper } from "../servers/seed-developer.ts";

/** An agent with a funded wallet, in test mode. */
interface Payer {
  readonly agentId: string;
  readonly walletId: WalletId;
}

/** An account in test mode, whose agents have the starter policy. */
export interface PayingTenant extends Developer {
  readonly payers: readonly Payer[];
}

export interface SeedPayersInput {
  readonly config: Config;
  readonly tenants: number;
  readonly payersPerTenant: number;
  readonly password: string;
}

export interface SeedPayersReady {
  readonly tenants: readonly PayingTenant[];
}

/** A million dollars. */
const BALANCE = 1_000_000_000_000n;

/** Creates accounts in test mode, and their agents with funded wallets. Does not listen on a port. */
serveParent(async ({ config, tenants, payersPerTenant, password }: SeedPayersInput): Promise<SeedPayersReady> => {
  const app = await composeApp(config);
  const passwordHash = await app.passwords.hash(password);
  const seed = () => seedTenant(app, payersPerTenant, passwordHash);
  return { tenants: await Promise.all(Array.from({ length: tenants }, seed)) };
});

async function seedTenant(app: App, payers: number, passwordHash: string): Promise<PayingTenant> {
  const developer = await seedDeveloper(app, { mode: "test", passwordHash });
  const { tenantId } = developer;
  const by = { type: "developer", id: tenantId, key_id: null, ip: null } as const;
  const actor = { tenantId, mode: "test", actor: by, requestId: null } as const;
  await withTransaction(app.db, tenantId, (tx) => ensureStarterPolicy(tx, app, actor));
  const seeded: Payer[] = [];
  while (seeded.length < payers) seeded.push(await seedPayer(app, tenantId));
  return { ...developer, payers: seeded };
}

async function seedPayer(app: App, tenantId: TenantId): Promise<Payer> {
  const agentId = randomUUID();
  const at = app.clock.now();
  await withTransaction(app.db, tenantId, (tx) =>
    tx
      .insertInto("agents")
      .values({
        ...{ tenantId, agentId, mode: "test", name: "payer", status: "active" },
        ...{ createdAt: at, updatedAt: at },
      })
      .execute(),
  );
  return { agentId, ...(await seedWallet(app, { tenantId, agentId, baseUnits: BALANCE })) };
}
