import { randomBytes } from "node:crypto";
import type { App } from "../../app.ts";
import { readAnchoring } from "../../audit/checkpoints/checkpoints.ts";
import { hasValidSignature } from "../../audit/checkpoints/signed-checkpoint.ts";
import { OPERATOR_TENANT } from "../../foundation/ids.ts";
import { type DataKeyWrapping, listKeysInUse } from "../../vault/queries.ts";
import { loadDataKeys } from "../../vault/vault.ts";
import { attempt, type Check, found } from "./check.ts";

/** Checks that the key encryption key works, and decrypts one data key of each key encryption key that is in use. */
export async function checkKeyEncryptionKey({ keyEncryptionKey: key, db, piiDb }: App): Promise<Check[]> {
  const own = await attempt("key encryption key", async () => {
    const [dataKey, context] = [randomBytes(32), { tenantId: OPERATOR_TENANT, version: 0 }];
    const unwrapped = await key.unwrap(await key.wrap(dataKey, context), key.id, context);
    return found("key encryption key", unwrapped.equals(dataKey), `encrypts and decrypts with ${key.id}`);
  });
  const unwrap = async (from: App["db"], wrapping: DataKeyWrapping) => {
    await unwrapDataKey(key, from, wrapping);
    return found("data keys", true, `decrypts those of ${wrapping.keyEncryptionKeyId}`);
  };
  const inUse = [db, ...(piiDb === null ? [] : [piiDb])].map((from) =>
    attempt("data keys", async () => {
      const wrappings = await listKeysInUse(from);
      return (await Promise.all(wrappings.map((one) => attempt("data keys", () => unwrap(from, one))))).flat();
    }),
  );
  return [...own, ...(await Promise.all(inUse)).flat()];
}

/** Decrypts a data key. Rejects if the key encryption key cannot, or if the database or the KMS does not respond. */
export async function unwrapDataKey(
  key: App["keyEncryptionKey"],
  db: App["db"],
  { tenantId, version }: DataKeyWrapping,
): Promise<void> {
  const stored = (await loadDataKeys({ db }, tenantId)).find((one) => one.version === version);
  if (stored !== undefined) await key.unwrap(stored.wrapped, stored.keyEncryptionKeyId, { tenantId, version });
}

/** Checks that the audit anchor responds, has the newest checkpoint of the operators' trail, and is not late. */
export async function checkAuditAnchor(app: App): Promise<Check[]> {
  const latest = app.auditAnchor.latest(OPERATOR_TENANT, "tenant");
  const signature = await attempt("audit anchor", async () => {
    const newest = (await latest)?.checkpoint;
    if (newest === undefined)
      return found("audit signature", true, "the anchor has no checkpoint of the operators yet");
    return found(
      "audit signature",
      hasValidSignature(app.signer, newest),
      `key ${newest.keyId} signed at ${newest.time}`,
    );
  });
  const anchoring = await attempt("audit anchoring", async () => {
    const { checkpoint, unanchoredSince, isLate } = await readAnchoring(app);
    const [stored, anchored] = [checkpoint?.anchoredAt ? checkpoint.sequence : 0, await latest.catch(() => null)];
    const has = anchored?.checkpoint.sequence ?? 0;
    return [
      ...(anchored === null ? [] : [found("audit anchor", has >= stored, `has ${has} of ${stored} entries`)]),
      found("audit anchoring", !isLate, `waiting: ${unanchoredSince?.toISOString() ?? "nothing"}`),
    ];
  });
  return [...signature, ...anchoring];
}
