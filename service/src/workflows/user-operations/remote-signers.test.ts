import * as Secp256k1 from "ox/Secp256k1";
import * as Signature from "ox/Signature";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { saveSignerKeys, useLivePayments } from "../../../test/networks/live-payments.ts";
import { startKmsServer } from "../../../test/vendors/kms-server.ts";
import { createWallet } from "../../../test/wallets/create-wallet.ts";
import { createAwsKmsSigner } from "../../adapters/wallet-signer/aws-kms-wallet-signer.ts";
import type { App } from "../../app.ts";
import { withTransaction } from "../../db/transaction.ts";
import { userOperationRows } from "../../modules/user-operations/queries.ts";
import { walletRows } from "../../modules/wallets/queries.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import type { AccountSigner } from "../../ports/wallet-signer.ts";

type Signers = App["walletSigners"];
type Outcome = Parameters<typeof harness.sandbox.force>[0]["outcome"];

const AGENT = "0190a6f4-5b1c-7c5e-9c3a-1f2e3d4c5b6a";
const EXPIRED_SECONDS = 601;
const KEYS_PATH = "/developers/provider-keys/turnkey";

const live = useLivePayments();
const { harness, base } = live;

let kms: Awaited<ReturnType<typeof startKmsServer>>;
let signers: Signers;
beforeAll(async () => {
  kms = await startKmsServer();
  signers = { ...harness.app.walletSigners };
});
afterAll(() => kms.stop());

beforeEach(() => live.prepare());
afterEach(() => {
  kms.intercept(() => undefined);
  change(signers);
});

/** Changes the signers until the test ends. */
function change(changed: Partial<Signers>): void {
  Object.assign(harness.app.walletSigners, changed);
}

const useTurnkey = () => change({ name: "turnkey" });
const useKms = () => change({ name: "aws-kms", awsKms: createAwsKmsSigner({ timeoutMs: 500, client: kms.client }) });

/** Changes what Turnkey does until the test ends. */
function changeTurnkey(wrap: (signer: AccountSigner) => Partial<AccountSigner>): void {
  change({
    openTurnkey: (credentials) => {
      const signer = signers.openTurnkey(credentials);
      return { ...signer, ...wrap(signer) };
    },
  });
}

const force = (operation: string, outcome: Outcome, times = 1) =>
  harness.sandbox.force({ vendor: "turnkey", operation: `PublicApiService_${operation}`, outcome, times });
/** How many signatures Turnkey was asked for, in all tests. */
const countSignatures = async () => {
  const objects = await harness.sandbox.objects("turnkey");
  return objects.filter(({ data }) => Object(data).type === "ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2").length;
};
const accountsOf = (tenantId: string) =>
  harness.app.db
    .selectFrom("turnkeyAccounts")
    .selectAll()
    .where("tenantId", "=", tenantId as never)
    .execute();
const create = async (tenant: Awaited<ReturnType<typeof harness.seedTenant>>, agentId = AGENT) =>
  tenant.post("/wallets/create", { agent_id: agentId, network: "base" });
const passValidity = async () => {
  await base.local.testClient.increaseTime({ seconds: EXPIRED_SECONDS });
  await base.mine(1);
  await live.watch();
};

describe.each([
  ["turnkey", useTurnkey],
  ["aws-kms", useKms],
] as const)("a live wallet whose key is held by %s", (name, use) => {
  it("is deployed and pays, also when other wallets have another signer", async () => {
    use();
    const { payer, wallet } = await live.seedPayer();
    expect(await walletRows.get(harness.app.db, payer)).toMatchObject({ signer: name, usesOwnSigner: false });
    change({ name: "local" });

    const { body } = await payer.pay();
    await live.run(payer);

    expect((await payer.read(body.payment_id)).body).toMatchObject({ status: "confirmed" });
    expect(await base.balanceOf(wallet.address)).toBe(95_000_000n);
  });

  it("503: the vendor is silent. No wallet is stored, and the next request creates it", async () => {
    use();
    const tenant = await harness.seedTenant({ mode: "live" });
    kms.intercept(() => "silence");
    if (name === "turnkey") force("CreateWallet", "timeout_lost");

    const { status, body } = await create(tenant);

    kms.intercept(() => undefined);
    expect([status, body.code]).toEqual([503, "provider_unavailable"]);
    expect((await tenant.get("/wallets")).body.data).toEqual([]);
    expect((await create(tenant)).status).toBe(201);
  });

  it("makes no key for a wallet that would be refused: one that exists, and one of a suspended agent", async () => {
    use();
    const { payer } = await live.seedPayer();
    const { tenant, agentId } = payer;
    const keys = kms.keys.size;
    changeTurnkey(() => ({ createAccount: () => Promise.reject(new Error("Turnkey is called.")) }));

    const existing = await create(tenant, agentId);
    await tenant.post(`/agents/${agentId}/suspend`, {});
    const suspended = await tenant.post("/wallets/create", { agent_id: agentId, network: "polygon" });

    expect([existing.status, existing.body.code]).toEqual([409, "wallet_already_exists"]);
    expect([suspended.status, suspended.body.code]).toEqual([403, "agent_suspended"]);
    expect(kms.keys.size).toBe(keys);
    expect(await accountsOf(tenant.tenantId)).toHaveLength(name === "turnkey" ? 1 : 0);
  });

  it("wallets in test mode have a key of this server", async () => {
    use();
    const tenant = await harness.seedTenant({ mode: "test" });
    const { wallet_id } = await createWallet(tenant);
    const { signer } = await walletRows.get(harness.app.db, { tenantId: tenant.tenantId, walletId: wallet_id });
    expect(signer).toBe("local");
  });

  it("does not pay again if the server is killed after the vendor has signed", async () => {
    use();
    const { payer, wallet } = await live.seedPayer();
    await payer.pay();
    const killed = { signDigest: async () => Promise.reject(new Error("killed")) };
    const lose = (signer: Pick<AccountSigner, "signDigest">) => ({
      signDigest: async (...asked: Parameters<AccountSigner["signDigest"]>) => {
        await signer.signDigest(...asked);
        return killed.signDigest();
      },
    });
    const { awsKms } = harness.app.walletSigners;
    changeTurnkey(lose);
    change({ awsKms: { ...awsKms, ...lose(awsKms) } });
    await expect(live.send(payer)).rejects.toThrow("killed");
    const [asked] = await payer.operations();
    const before = await countSignatures();
    change({ openTurnkey: signers.openTurnkey, awsKms });

    await live.run(payer);

    const [sent] = await payer.operations();
    expect(sent).toMatchObject({ outcome: "confirmed", nonce: asked?.nonce, validUntil: asked?.validUntil });
    expect(await base.balanceOf(wallet.address)).toBe(95_000_000n);
    expect(await countSignatures()).toBe(before);
  });

  it("asked for by two processes at once, signs one operation", async () => {
    use();
    const { payer, wallet } = await live.seedPayer();
    await payer.pay();
    await Promise.all([live.send(payer), live.send(payer)]);
    await live.run(payer);
    expect(await payer.statuses()).toEqual({ confirmed: 1 });
    expect(await base.balanceOf(wallet.address)).toBe(95_000_000n);
  });

  it("a payment is `failed` if the vendor refuses to sign, and its hold is released", async () => {
    use();
    const { payer } = await live.seedPayer();
    const { body } = await payer.pay();
    for (const key of kms.keys.values()) key.state = "Disabled";
    changeTurnkey(() => ({
      signDigest: (_key, ...rest) =>
        signers
          .openTurnkey(harness.sandbox.turnkey.credentials as never)
          .signDigest({ address: `0x${"ab".repeat(20)}`, secret: Buffer.alloc(0) }, ...rest),
    }));

    await live.send(payer);

    const { status, failure } = (await payer.read(body.payment_id)).body;
    expect([status, failure.code]).toEqual(["failed", "signer_refused"]);
    expect((await payer.balance()).held).toBe(0n);
  });

  it("a signature of another key or of other bytes is not sent, and the payment expires", async () => {
    use();
    const { payer, wallet } = await live.seedPayer();
    const { body } = await payer.pay();
    const { awsKms } = harness.app.walletSigners;
    const falsify = (signer: Pick<AccountSigner, "signDigest">) => ({
      signDigest: ((key, digest, at) =>
        signer.signDigest(key, `0x${digest.slice(2).split("").reverse().join("")}`, at)) as AccountSigner["signDigest"],
    });
    changeTurnkey(falsify);
    change({ awsKms: { ...awsKms, ...falsify(awsKms) } });

    await live.send(payer);
    await passValidity();
    await live.send(payer);

    expect((await payer.read(body.payment_id)).body).toMatchObject({ status: "dropped", failure: { code: "expired" } });
    expect(await payer.balance()).toEqual({ total: 100_000_000n, held: 0n });
    expect(await base.balanceOf(wallet.address)).toBe(100_000_000n);
  });
});

describe("a live wallet whose key is in the developer's own organization at Turnkey", () => {
  const approvedKeys = () => harness.sandbox.turnkey.approvedCredentials;
  const seedPending = async () => {
    useTurnkey();
    const { payer, wallet } = await live.seedPayer({ signerKeys: approvedKeys() });
    const { body } = await payer.pay();
    await live.send(payer);
    return { payer, wallet, paymentId: body.payment_id };
  };

  it("uses the developer's keys, and has one account for each wallet", async () => {
    useTurnkey();
    const tenant = await harness.seedTenant({ mode: "live" });
    await saveSignerKeys(tenant, approvedKeys());
    const created = await Promise.all(
      ["base", "polygon", "optimism"].map((network) => createWallet(tenant, { network })),
    );
    expect(new Set(created.map(({ owner }) => owner)).size).toBe(3);
    const accounts = await accountsOf(tenant.tenantId);
    expect(accounts.map(({ accountIndex }) => accountIndex).toSorted()).toEqual([0, 1, 2]);
    expect(new Set(accounts.map(({ organizationId }) => organizationId))).toEqual(
      new Set([approvedKeys().organization_id]),
    );
  });

  it("stays `signing` until another user approves the signature, and asks for one only", async () => {
    const { payer, paymentId } = await seedPending();
    const asked = await countSignatures();
    harness.clock.advanceSeconds(60);
    await live.send(payer);
    expect((await payer.read(paymentId)).body.status).toBe("signing");
    expect((await payer.post(`/payments/${paymentId}/cancel`)).status).toBe(409);
    expect((await payer.balance()).held).toBe(5_000_000n);

    await harness.sandbox.turnkey.approve();
    await live.run(payer);

    expect((await payer.read(paymentId)).body.status).toBe("confirmed");
    expect(await countSignatures()).toBe(asked);
  });

  it("is `dropped` if no one approves it before it expires, and what is approved later is not sent", async () => {
    const { payer, wallet, paymentId } = await seedPending();
    await passValidity();
    await live.send(payer);
    await harness.sandbox.turnkey.approve();
    await live.run(payer);
    expect((await payer.read(paymentId)).body).toMatchObject({ status: "dropped", failure: { code: "expired" } });
    expect((await payer.balance()).held).toBe(0n);
    expect(await base.balanceOf(wallet.address)).toBe(100_000_000n);
  });

  it("is `dropped` also while the bundler is silent", async () => {
    const { payer, paymentId } = await seedPending();
    live.changeBundler(() => ({ readGasPrice: () => Promise.reject(new Error("silent")) }));
    await passValidity();
    await expect(live.send(payer)).rejects.toThrow("silent");
    expect((await payer.read(paymentId)).body).toMatchObject({ status: "dropped", failure: { code: "expired" } });
    expect((await payer.balance()).held).toBe(0n);
  });

  it("is not sent after a freeze, also if it is approved then", async () => {
    const { payer, wallet, paymentId } = await seedPending();
    await payer.tenant.post(`/wallets/${wallet.wallet_id}/freeze`, { reason: "anomaly" });
    await payer.tenant.post(`/wallets/${wallet.wallet_id}/unfreeze`, { note: "checked", reference: "T-1" });
    await live.send(payer);
    await harness.sandbox.turnkey.approve();
    await live.run(payer);
    expect((await payer.read(paymentId)).body).toMatchObject({ status: "dropped", failure: { code: "frozen" } });
    expect(await base.balanceOf(wallet.address)).toBe(100_000_000n);
  });

  it("is not signed if what is to be signed was changed meanwhile", async () => {
    const { payer, wallet } = await seedPending();
    const [operation] = await payer.operations();
    // 6 USDC.
    const unsignedOperation = operation?.unsignedOperation?.replace("4c4b40", "5b8d80") ?? "";
    await withTransaction(harness.app.db, payer.tenantId, (tx) =>
      userOperationRows.update(tx, operation as NonNullable<typeof operation>, { unsignedOperation }),
    );
    await harness.sandbox.turnkey.approve();
    await expect(live.send(payer)).rejects.toThrow("is the planned one");
    expect(await base.balanceOf(wallet.address)).toBe(100_000_000n);
  });

  it.each<[string, (tenant: Awaited<ReturnType<typeof harness.seedTenant>>) => Promise<unknown>]>([
    ["its keys were deleted", (tenant) => tenant.delete(KEYS_PATH)],
    ["they are of another organization now", (tenant) => saveSignerKeys(tenant, harness.sandbox.turnkey.credentials)],
  ])("fails, and can be frozen: %s", async (_what, remove) => {
    useTurnkey();
    const { payer, wallet } = await live.seedPayer({ signerKeys: approvedKeys() });
    await remove(payer.tenant);
    const { body } = await payer.pay();

    await live.send(payer);

    const { status, failure } = (await payer.read(body.payment_id)).body;
    expect([status, failure.code]).toEqual(["failed", "provider_not_configured"]);
    expect((await payer.balance()).held).toBe(0n);
    expect((await payer.tenant.post(`/wallets/${wallet.wallet_id}/freeze`, { reason: "anomaly" })).status).toBe(204);
  });

  it("409: neither the developer nor the operator has keys for Turnkey; not with another signer", async () => {
    change({ name: "turnkey", turnkeyOperatorKeys: null });
    const tenant = await harness.seedTenant({ mode: "live" });
    const { status, body } = await create(tenant);
    expect([status, body.code, body.next_action?.type]).toEqual([409, "provider_not_configured", "save_provider_keys"]);

    change({ name: "local" });
    expect((await create(tenant)).status).toBe(201);
  });

  it.each([
    ["keys", () => harness.sandbox.turnkey.refusedCredentials],
    ["organization", () => ({ ...approvedKeys(), organization_id: AGENT })],
  ])("409: Turnkey does not know the developer's %s", async (_what, keys) => {
    useTurnkey();
    const tenant = await harness.seedTenant({ mode: "live" });
    await saveSignerKeys(tenant, keys());
    const { status, body } = await create(tenant);
    expect([status, body.code]).toEqual([409, "provider_not_configured"]);
  });

  it.each<[string, Outcome, number]>([
    ["CreateWallet", "timeout_applied", 503],
    ["CreateWalletAccounts", "timeout_applied", 503],
    ["CreateWalletAccounts", "error_applied", 503],
    ["CreateWallet", "refused", 409],
    ["CreateWalletAccounts", "refused", 409],
  ])("is created by a later request, with one account: %s %s", async (operation, outcome, status) => {
    useTurnkey();
    const tenant = await harness.seedTenant({ mode: "live" });
    await saveSignerKeys(tenant, approvedKeys());
    force(operation, outcome);

    expect((await create(tenant)).status).toBe(status);
    expect((await create(tenant)).status).toBe(201);

    expect(await accountsOf(tenant.tenantId)).toHaveLength(1);
  });
});

describe("a vendor of keys that errs", () => {
  it.each([
    ["CreateWallet", "createWallet"],
    ["CreateWalletAccounts", "createAccount"],
  ])("%s is possible after its answer was lost, and its repetition refused", async (operation, method) => {
    useTurnkey();
    const tenant = await harness.seedTenant({ mode: "live" });
    force(operation, "timeout_applied");
    expect((await create(tenant)).status).toBe(503);
    const refusal = new VendorError("refused", { vendor: "turnkey", operation });
    changeTurnkey(() => ({ [method]: () => Promise.reject(refusal) }));
    harness.clock.advanceSeconds(60);
    expect((await create(tenant)).status).toBe(503);

    change({ openTurnkey: signers.openTurnkey });
    harness.clock.advanceSeconds(60);
    expect((await create(tenant)).status).toBe(201);
  });

  it("503: the key owns a wallet of another tenant, or of another agent; it is scheduled for deletion", async () => {
    useKms();
    const { payer } = await live.seedPayer();
    const [first] = [...kms.keys.values()].slice(-1);
    const body = { PublicKey: first?.publicKey.toString("base64") };
    kms.intercept((action) => (action === "GetPublicKey" ? { status: 200, body } : undefined));
    for (const tenant of [payer.tenant, await harness.seedTenant({ mode: "live" })]) {
      const made = await tenant.post("/wallets/create", { agent_id: AGENT, network: "base" });
      expect([made.status, made.body.code]).toEqual([503, "provider_unavailable"]);
      expect([...kms.keys.values()].at(-1)?.state).toBe("PendingDeletion");
    }
    expect(first?.state).toBe("Enabled");
  });

  it("503, with an alarm: a key that owns no wallet cannot be deleted", async () => {
    useKms();
    const failed = { status: 500, body: { __type: "KMSInternalException" } };
    kms.intercept((action) => (action === "CreateKey" ? undefined : failed));
    expect((await create(await harness.seedTenant({ mode: "live" }))).status).toBe(503);
    expect(harness.logLines.join()).toContain("operator action required");
  });

  it("503: the operator's key for Turnkey is no key", async () => {
    const turnkeyOperatorKeys = { organization_id: AGENT, api_private_key: "0".repeat(64) };
    change({ name: "turnkey", turnkeyOperatorKeys });
    const { status, body } = await create(await harness.seedTenant({ mode: "live" }));
    expect([status, body.code]).toEqual([503, "provider_unavailable"]);
  });

  it("a payment is sent that was signed with the greater `s`", async () => {
    useTurnkey();
    const { payer } = await live.seedPayer();
    changeTurnkey((signer) => ({
      signDigest: async (...asked) => {
        const { r, s, yParity } = Signature.fromHex(await signer.signDigest(...asked));
        return Signature.toHex({ r, s: Secp256k1.noble.CURVE.n - s, yParity: 1 - yParity });
      },
    }));
    await payer.pay();
    await live.run(payer);
    expect(await payer.statuses()).toEqual({ confirmed: 1 });
  });

  it("accounts that Turnkey refuses leave nothing behind", async () => {
    useTurnkey();
    const tenant = await harness.seedTenant({ mode: "live" });
    await saveSignerKeys(tenant, harness.sandbox.turnkey.approvedCredentials);
    force("CreateWalletAccounts", "refused", 2);
    for (const digit of ["b", "c"]) expect((await create(tenant, AGENT.slice(0, -1) + digit)).status).toBe(409);
    expect(await accountsOf(tenant.tenantId)).toEqual([]);
  });
});

describe("a key in AWS KMS", () => {
  it("is scheduled for deletion if its wallet was not stored, and only then", async () => {
    useKms();
    const tenant = await harness.seedTenant({ mode: "live" });
    const { awsKms } = harness.app.walletSigners;
    const keys = () => [...kms.keys.values()].slice(before).map(({ state }) => state);
    const before = kms.keys.size;
    let isFirst = true;
    change({
      awsKms: {
        ...awsKms,
        createKey: async (walletId) => {
          const key = await awsKms.createKey(walletId);
          if (isFirst) {
            isFirst = false;
            expect((await create(tenant)).status).toBe(201);
          }
          return key;
        },
      },
    });

    const { status, body } = await create(tenant);

    expect([status, body.code]).toEqual([409, "wallet_already_exists"]);
    expect(keys()).toEqual(["PendingDeletion", "Enabled"]);
  });
});
