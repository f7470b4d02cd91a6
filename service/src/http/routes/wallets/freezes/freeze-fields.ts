import { type Static, Type } from "typebox";
import { invalidField } from "../../../../foundation/errors.ts";
import { FREEZE_MODES, FREEZE_REASONS, type FreezeSource } from "../../../../foundation/vocabulary.ts";
import { DISPLAY_TEXT, PRINTABLE_TEXT } from "../../../../foundation/wire/fields.ts";
import { StrictObject } from "../../../../foundation/wire/named-object.ts";
import type { Freeze } from "../../../../modules/wallets/freezes/freeze-wallets.ts";
import { futureTime } from "../../developers/fields.ts";

const Note = Type.String({ minLength: 1, maxLength: 1_000, ...DISPLAY_TEXT });
const Reference = Type.String({ minLength: 1, maxLength: 200, ...PRINTABLE_TEXT });

export const WalletFreezeRequest = StrictObject("WalletFreezeRequest", {
  reason: Type.Enum([...FREEZE_REASONS], { description: "Why the wallet is frozen." }),
  note: Type.Optional({
    ...Note,
    description: "A note of up to 1000 characters. Required if `reason` is `other`.",
  }),
  reference: Type.Optional({
    ...Reference,
    description: "A reference for the freeze, for example a case number.",
  }),
  review_reference: Type.Optional({
    ...Reference,
    description: "Like `reference`, which takes precedence.",
  }),
  expires_at: Type.Optional(
    Type.String({
      format: "date-time",
      description: "When the freeze should be reviewed. Must be in the future. The freeze does not end then.",
    }),
  ),
  scope: Type.Optional(
    Type.Enum(["wallet", "agent"], {
      description: "`agent` freezes all wallets of the wallet's agent in this mode. Default: `wallet`.",
    }),
  ),
  mode: Type.Optional(
    Type.Enum([...FREEZE_MODES], {
      description:
        "`outgoing_only` refuses outgoing payments. `full` also refuses `fund` and incoming payments from wallets of the account. Default: `full`. A freeze by an admin is always `full`.",
    }),
  ),
});

export const WalletUnfreezeRequest = StrictObject("WalletUnfreezeRequest", {
  reason: Type.Optional(
    Type.Enum([...FREEZE_REASONS], {
      description: "Which reason no longer holds. It is stored with the history of freezes.",
    }),
  ),
  note: Type.Optional({
    ...Note,
    description: "A note that is stored with the history of freezes. Up to 1000 characters.",
  }),
  reference: Type.Optional({
    ...Reference,
    description: "Like `review_reference`, which takes precedence.",
  }),
  review_reference: Type.Optional({
    ...Reference,
    description: "A reference for the review, for example a case number.",
  }),
});

/** Returns the freeze that the body asks for. Throws `validation_error` for a missing note and for a past `expires_at`. */
export function freezeOf(
  body: Static<typeof WalletFreezeRequest>,
  { source, now }: { readonly source: FreezeSource; readonly now: Date },
): Freeze {
  if (body.reason === "other" && body.note === undefined) {
    throw invalidField("/body/note", "required", "is required if reason is other");
  }
  return {
    mode: body.mode ?? "full",
    source,
    reason: body.reason,
    note: body.note ?? null,
    reference: body.reference ?? body.review_reference ?? null,
    expiresAt: body.expires_at === undefined ? null : futureTime(body.expires_at, now, "expires_at"),
  };
}

/** Returns the reason, the note and the reference of an unfreeze. */
export function unfreezeOf(body: Static<typeof WalletUnfreezeRequest>) {
  return {
    reason: body.reason ?? null,
    note: body.note ?? null,
    reviewReference: body.review_reference ?? body.reference ?? null,
  };
}
