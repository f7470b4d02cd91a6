import type { Db } from "../../../db/database.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { ConversionId } from "../../../foundation/ids.ts";
import { fiatAccountRows } from "../queries.ts";
import type { MaskedConversion } from "./conversion-resource.ts";
import { type Conversion, type ConversionScope, findConversion, readMasks } from "./queries.ts";

/** Returns a conversion that the caller can reach. Throws `conversion_not_found`. */
export async function requireConversion(
  db: Db,
  scope: ConversionScope,
  conversionId: ConversionId,
): Promise<MaskedConversion> {
  const conversion = await findConversion(db, scope, conversionId);
  if (conversion === undefined) throw new AppError("conversion_not_found");
  return withMask(db, conversion);
}

/** Adds the last digits of the bank accounts. */
export async function withMasks(db: Db, conversions: readonly Conversion[]): Promise<MaskedConversion[]> {
  const masks = await readMasks(db, conversions);
  return conversions.map((conversion) => ({ conversion, mask: masks.get(conversion.accountId) ?? null }));
}

/** Adds the last digits of the bank account, which stay readable after the account is removed. */
export async function withMask(db: Db, conversion: Conversion): Promise<MaskedConversion> {
  const { mask } = await fiatAccountRows.get(db, conversion);
  return { conversion, mask };
}
