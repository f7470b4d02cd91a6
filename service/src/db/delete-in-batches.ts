/** The maximum number of rows that one statement of a purge deletes, so that the statement ends long before its timeout. */
export const PURGED_AT_ONCE_MAX = 5_000;

/** Calls `deleteBatch`, which deletes up to `PURGED_AT_ONCE_MAX` rows and returns their number, until no rows are left. */
export async function deleteInBatches(deleteBatch: () => Promise<bigint>): Promise<void> {
  while ((await deleteBatch()) === BigInt(PURGED_AT_ONCE_MAX));
}
