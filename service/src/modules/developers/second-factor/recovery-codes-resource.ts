import { type Static, Type } from "typebox";

/** The recovery codes for a second factor (docs/api.md, section 16.2). No other response contains them. */
export const RecoveryCodesResource = Type.Object(
  {
    recovery_codes: Type.Array(Type.String(), {
      description: "Ten codes, each valid once. Only this response contains them: store them now.",
    }),
  },
  { $id: "RecoveryCodes" },
);

export function presentRecoveryCodes(
  recoveryCodes: readonly string[],
): Static<typeof RecoveryCodesResource> {
  return { recovery_codes: [...recoveryCodes] };
}
