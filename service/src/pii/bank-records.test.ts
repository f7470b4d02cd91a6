import { describe, expect, it } from "vitest";
import { useHarness } from "../../test/harness.ts";
import { asSuperuser } from "../../test/project-seeds.ts";
import { createFileKeyEncryptionKey, createKeyring } from "../adapters/key-encryption-key/file-key-encryption-key.ts";
import { withTransaction } from "../db/transaction.ts";
import { newId } from "../foundation/ids.ts";
import { rewrapDataKeys } from "../vault/rewrap-data-keys.ts";
import {
  type BankRecord,
  bankRecordKey,
  openPiiVault,
  type PiiOwner,
  readBankRecord,
  storeBankRecord,
} from "./bank-records.ts";
import { forgetBankRecord, forgetHolder } from "./queries.ts";

const RECORD: BankRecord = {
  details: {
    holder: {
      ...{ type: "individual", legalName: "Ada Lovelace", email: "ada@bank.example", phone: null },
      address: {
        line1: "12 Byron Street",
        line2: null,
        city: "London",
        state: "KY",
        postalCode: "40741",
        country: "US",
      },
    },
    numbers: { accountNumber: "1111222233330000", routingNumber: "011401533" },
  },
  accessToken: "access-sandbox-1",
};

describe("bank records", () => {
  const harness = useHarness();

  async function store(owner: PiiOwner, accountId: string, record = RECORD) {
    const vault = await openPiiVault(harness.app, owner);
    const key = bankRecordKey(owner, accountId);
    await withTransaction(harness.app.db, owner.tenantId, (tx) => storeBankRecord(tx, vault, key, record));
    return key;
  }

  const newOwner = async (mode: PiiOwner["mode"] = "test") => ({ tenantId: await harness.seedDeveloper(), mode });

  it("are read as they were stored, by the tenant and in the mode in which they were stored", async () => {
    const owner = await newOwner();
    await store(owner, "ba_1");

    expect(await readBankRecord(harness.app, owner, "ba_1")).toEqual(RECORD);
    expect(await readBankRecord(harness.app, { ...owner, mode: "live" }, "ba_1")).toBeUndefined();
    expect(await readBankRecord(harness.app, { ...owner, tenantId: newId("dev") }, "ba_1")).toBeUndefined();
  });

  it("rejects a record that was copied to another account", async () => {
    const owner = await newOwner();
    await store(owner, "ba_1");
    await store(owner, "ba_2");
    await asSuperuser(harness.database.superuserUrl, (client) =>
      client.query(
        `update pii.bank_records set holder_sealed = (select holder_sealed from pii.bank_records
           where account_id = 'ba_1' and tenant_id = '${owner.tenantId}.test')
         where account_id = 'ba_2' and tenant_id = '${owner.tenantId}.test'`,
      ),
    );

    await expect(readBankRecord(harness.app, owner, "ba_2")).rejects.toThrow("cannot be decrypted");
  });

  it("without the holder, the access token stays; the key goes with the last record", async () => {
    const owner = await newOwner();
    const [first, second] = [await store(owner, "ba_1"), await store(owner, "ba_2")];
    const keys = () =>
      asSuperuser(harness.database.superuserUrl, async (client) => {
        const { rows } = await client.query(
          `select version from pii.tenant_data_keys where tenant_id = '${first.vaultId}'`,
        );
        return rows.length;
      });

    await withTransaction(harness.app.db, owner.tenantId, async (tx) => {
      await forgetHolder(tx, first);
      await forgetBankRecord(tx, second);
    });
    expect(await readBankRecord(harness.app, owner, "ba_1")).toEqual({ ...RECORD, details: null });
    expect(await readBankRecord(harness.app, owner, "ba_2")).toBeUndefined();
    expect(await keys()).toBe(1);

    await withTransaction(harness.app.db, owner.tenantId, (tx) => forgetBankRecord(tx, first));
    expect(await keys()).toBe(0);
    await store(owner, "ba_3");
    expect(await readBankRecord(harness.app, owner, "ba_3")).toEqual(RECORD);
  });

  it("stores nothing if the transaction of the account is rolled back", async () => {
    const owner = await newOwner();
    const vault = await openPiiVault(harness.app, owner);
    const key = bankRecordKey(owner, "ba_1");

    const failed = withTransaction(harness.app.db, owner.tenantId, async (tx) => {
      await storeBankRecord(tx, vault, key, RECORD);
      throw new Error("the account was not stored");
    });

    await expect(failed).rejects.toThrow("the account was not stored");
    expect(await readBankRecord(harness.app, owner, "ba_1")).toBeUndefined();
  });

  it("another key encryption key: the data keys are re-encrypted, and the records stay readable", async () => {
    const owner = await newOwner();
    await store(owner, "ba_1");
    const { piiDb, log, keyEncryptionKey: former, clock } = harness.app;
    if (piiDb === null) throw new Error("The harness has a database for personal data.");
    const next = createFileKeyEncryptionKey(Buffer.alloc(32, 7).toString("base64"));

    const progress = await rewrapDataKeys({ db: piiDb, log, keyEncryptionKey: createKeyring(next, [former]) });

    expect(progress).toMatchObject({ failed: 0 });
    expect(progress.rewrapped).toBeGreaterThan(0);
    expect(await readBankRecord({ piiDb, clock, keyEncryptionKey: next }, owner, "ba_1")).toEqual(RECORD);
  });
});
