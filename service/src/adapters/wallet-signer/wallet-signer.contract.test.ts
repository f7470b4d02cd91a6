import * as Secp256k1 from "ox/Secp256k1";
import * as Signature from "ox/Signature";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startKmsServer } from "../../../test/vendors/kms-server.ts";
import { answering, startMisbehavingVendor, unreachableUrl } from "../../../test/vendors/misbehaving-vendor.ts";
import { startTestSandbox, type TestSandbox } from "../../../test/vendors/sandbox.ts";
import { newId } from "../../foundation/ids.ts";
import type { SignerKey, WalletSigner } from "../../ports/wallet-signer.ts";
import { createAwsKmsSigner } from "./aws-kms-wallet-signer.ts";
import { createLocalWalletSigner } from "./local-wallet-signer.ts";
import { createTurnkeySigners } from "./turnkey-wallet-signer.ts";

const DIGEST = `0x${"5a".repeat(32)}` as const;
const OTHER_DIGEST = `0x${"0b".repeat(32)}` as const;
const TIMEOUT_MS = 3_000;

let sandbox: TestSandbox;
let kms: Awaited<ReturnType<typeof startKmsServer>>;
beforeAll(async () => {
  sandbox = await startTestSandbox("http://127.0.0.1:1");
  kms = await startKmsServer();
});
afterEach(() => kms.intercept(() => undefined));
afterAll(async () => {
  await sandbox.close();
  await kms.stop();
});

let timeMs = Date.now();
/** A later time each time, so that each request is another one. */
function later(): Date {
  timeMs += 1;
  return new Date(timeMs);
}

const openTurnkey = (apiUrl = sandbox.turnkey.url, credentials: Readonly<Record<string, string>> = organization()) =>
  createTurnkeySigners({ apiUrl, timeoutMs: TIMEOUT_MS })(credentials);
const organization = () => sandbox.turnkey.credentials as Readonly<Record<string, string>>;
const openKms = (client: object = kms.client) => createAwsKmsSigner({ timeoutMs: TIMEOUT_MS, client });

async function turnkeyKey(signer = openTurnkey()): Promise<SignerKey> {
  const walletId = await signer.createWallet(newId("wal"), later());
  return { address: await signer.createAccount({ walletId, index: 0, requestedAt: later() }), secret: Buffer.alloc(0) };
}

/** All `WalletSigner` adapters, each with a new key. */
const ADAPTERS: Readonly<Record<string, () => Promise<{ signer: WalletSigner; key: SignerKey }>>> = {
  local: async () => {
    const signer = createLocalWalletSigner();
    return { signer, key: await signer.createKey(newId("wal")) };
  },
  turnkey: async () => {
    const signer = openTurnkey();
    return { signer, key: await turnkeyKey(signer) };
  },
  "aws-kms": async () => {
    const signer = openKms();
    return { signer, key: await signer.createKey(newId("wal")) };
  },
};

describe.each(Object.entries(ADAPTERS))("wallet signer %s", (_name, create) => {
  it("makes a different key each time, and names its address with a checksum", async () => {
    const [first, second] = [await create(), await create()];

    expect(first.key.address).toMatch(/^0x[0-9a-fA-F]{40}$/);
    expect(first.key.address).not.toBe(first.key.address.toLowerCase());
    expect(second.key.address).not.toBe(first.key.address);
  });

  it("signs digests with 65 bytes from which the key's address is recovered", async () => {
    const { signer, key } = await create();

    for (const digest of [DIGEST, OTHER_DIGEST, DIGEST]) {
      const signature = await signer.signDigest(key, digest, later());

      expect(signature).toMatch(/^0x[0-9a-f]{128}(1b|1c)$/);
      const recovered = Secp256k1.recoverAddress({ payload: digest, signature: Signature.fromHex(signature) });
      expect(recovered.toLowerCase()).toBe(key.address.toLowerCase());
    }
  });
});

describe("wallet signer turnkey", () => {
  const PATH = "/public/v1/submit/sign_raw_payload";
  const completed = {
    ...{ id: "act_1", type: "ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2", status: "ACTIVITY_STATUS_COMPLETED" },
    result: { signRawPayloadResult: { r: "11".repeat(32), s: "22".repeat(32), v: "00" } },
  };
  const key: SignerKey = { address: `0x${"ab".repeat(20)}`, secret: Buffer.alloc(0) };
  const answeringWith = async (activity: object, read: object = {}) => {
    const common = { ...completed, organizationId: organization()["organization_id"] };
    const url = await startMisbehavingVendor(
      answering({
        [`POST ${PATH}`]: { activity: { ...common, ...activity } },
        "POST /public/v1/query/get_activity": { activity: { ...common, ...read } },
      }),
    );
    return openTurnkey(url);
  };

  it("the same request with the same time has no second effect, and another time makes another one", async () => {
    const signer = openTurnkey();
    const at = later();
    const name = newId("wal");
    const walletId = await signer.createWallet(name, at);
    expect(await signer.createWallet(name, at)).toBe(walletId);
    await expect(signer.createWallet(name, later())).rejects.toMatchObject({ failure: "refused" });

    const account = { walletId, index: 7, requestedAt: at };
    const address = await signer.createAccount(account);
    expect(await signer.createAccount(account)).toBe(address);
    await expect(signer.createAccount({ ...account, requestedAt: later() })).rejects.toMatchObject({
      failure: "refused",
    });
    expect(await signer.createAccount({ ...account, index: 8 })).not.toBe(address);
  });

  it("waits for the end of an activity", async () => {
    const signer = await answeringWith({ status: "ACTIVITY_STATUS_PENDING", result: {} });
    expect(await signer.signDigest(key, DIGEST, later())).toBe(`0x${"11".repeat(32)}${"22".repeat(32)}1b`);
  });

  it("has no signature until another user has approved it", async () => {
    const signer = openTurnkey(sandbox.turnkey.url, sandbox.turnkey.approvedCredentials);
    const own = await turnkeyKey(signer);
    const at = later();
    await expect(signer.signDigest(own, DIGEST, at)).rejects.toMatchObject({
      ...{ failure: "unknown", vendorMessage: expect.stringContaining("CONSENSUS_NEEDED") },
    });

    await sandbox.turnkey.approve();

    expect(await signer.signDigest(own, DIGEST, at)).toMatch(/^0x/);
  });

  it.each<[string, object, object, string]>([
    ["it has failed", { status: "ACTIVITY_STATUS_FAILED" }, {}, "refused"],
    ["it was rejected", { status: "ACTIVITY_STATUS_PENDING" }, { status: "ACTIVITY_STATUS_REJECTED" }, "refused"],
    ["it is of another organization", { organizationId: "other" }, {}, "unknown"],
    ["it is of another type", { type: "ACTIVITY_TYPE_CREATE_WALLET" }, {}, "unknown"],
    ["another one is returned later", { status: "ACTIVITY_STATUS_PENDING" }, { id: "act_2" }, "unknown"],
    ["its result has another shape", { result: { signRawPayloadResult: { r: "0x1" } } }, {}, "unknown"],
    ["its status is not known", { status: "ACTIVITY_STATUS_AUTHENTICATORS_NEEDED" }, {}, "unknown"],
  ])("throws if the activity cannot be used: %s", async (_what, activity, read, failure) => {
    const signer = await answeringWith(activity, read);
    await expect(signer.signDigest(key, DIGEST, later())).rejects.toMatchObject({ vendor: "turnkey", failure });
  });

  it.each<[string, () => Promise<WalletSigner>, string]>([
    ["an unregistered key", async () => openTurnkey(undefined, sandbox.turnkey.refusedCredentials), "unauthorized"],
    ["no server", async () => openTurnkey(await unreachableUrl()), "unavailable"],
    ["silence", async () => openTurnkey(await startMisbehavingVendor(() => {})), "unknown"],
    ["an account that it does not have", async () => openTurnkey(), "refused"],
  ])("throws: %s", async (_what, open, failure) => {
    await expect((await open()).signDigest(key, DIGEST, later())).rejects.toMatchObject({ vendor: "turnkey", failure });
  });

  it("calls the developer's own address, and refuses keys that are not of P-256", async () => {
    const silent = await startMisbehavingVendor(() => {});
    const own = openTurnkey(silent, { ...organization(), base_url: `${sandbox.turnkey.url}/` });
    expect(await own.createWallet(newId("wal"), later())).toMatch(/^[0-9a-f-]{36}$/);
    expect(() => openTurnkey(silent, { ...organization(), api_private_key: "0" })).toThrow("unauthorized");
  });
});

describe("wallet signer aws-kms", () => {
  it("names the wallet in the description of its key, and schedules the deletion of a key that owns none", async () => {
    const signer = openKms();
    const walletId = newId("wal");
    const key = await signer.createKey(walletId);
    const stored = kms.keys.get(Buffer.from(key.secret).toString());
    expect(stored).toMatchObject({ description: `Purser wallet ${walletId}`, state: "Enabled" });

    await signer.discardKey(key);

    expect(stored?.state).toBe("PendingDeletion");
    await expect(signer.signDigest(key, DIGEST, later())).rejects.toMatchObject({ failure: "refused" });
  });

  it("schedules the deletion of a key whose public key it cannot read", async () => {
    const before = kms.keys.size;
    for (const body of [{ PublicKey: "AAAA" }, {}]) {
      kms.intercept((action) => (action === "GetPublicKey" ? { status: 200, body } : undefined));
      await expect(openKms().createKey(newId("wal"))).rejects.toMatchObject({ failure: "unknown" });
    }
    expect([...kms.keys.values()].slice(before).map(({ state }) => state)).toEqual([
      "PendingDeletion",
      "PendingDeletion",
    ]);
  });

  it.each<[string, ReturnType<Parameters<typeof kms.intercept>[0]>, string]>([
    ["a key that was disabled", { status: 400, body: { __type: "DisabledException" } }, "refused"],
    ["no permission", { status: 400, body: { __type: "AccessDeniedException" } }, "unauthorized"],
    ["too many calls", { status: 400, body: { __type: "ThrottlingException" } }, "rate_limited"],
    ["an error of KMS", { status: 500, body: { __type: "KMSInternalException" } }, "unknown"],
    ["no signature", { status: 200, body: {} }, "unknown"],
    ["not a signature", { status: 200, body: { Signature: "AAAA" } }, "unknown"],
    ["silence", "silence", "unknown"],
  ])("throws: %s", async (_what, answer, failure) => {
    const signer = openKms();
    const key = await signer.createKey(newId("wal"));
    kms.intercept(() => answer);
    await expect(signer.signDigest(key, DIGEST, later())).rejects.toMatchObject({ vendor: "aws-kms", failure });
  });

  it("throws: the signature of another key, and one of another digest", async () => {
    const signer = openKms();
    const [key, other] = [await signer.createKey(newId("wal")), await signer.createKey(newId("wal"))];
    await expect(signer.signDigest({ ...key, secret: other.secret }, DIGEST, later())).rejects.toMatchObject({
      failure: "unknown",
    });
  });
});
