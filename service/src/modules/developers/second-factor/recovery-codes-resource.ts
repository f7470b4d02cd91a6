import { type Static, Type } from "typebox";

/** The recovery codes of a second factor (docs/api.md). No other answer has them. */
export const RecoveryCodesResource = Type.Object(
  { recovery_codes: Type.Array(Type.String()) },
  { $id: "RecoveryCodes" },
);

export function presentRecoveryCodes(
  recoveryCodes: readonly string[],
): Static<typeof RecoveryCodesResource> {
  return { recovery_codes: [...recoveryCodes] };
}
