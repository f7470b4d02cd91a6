import { type Static, Type } from "typebox";

/** The recovery codes for a second factor (docs/api.md, section 16.2). No other response contains them. */
export const RecoveryCodesResource = Type.Object(
  {
    recovery_codes: Type.Array(Type.String(), {
      description: "Ten recovery codes, each valid once. They are returned only in this response: store them now.",
    }),
  },
  { $id: "RecoveryCodes" },
);

export function presentRecoveryCodes(recoveryCodes: readonly string[]): Static<typeof RecoveryCodesResource> {
  return { recovery_codes: [...recoveryCodes] };
}
