import { type Static, Type } from "typebox";
import { HOLDER_TYPES } from "../../../foundation/vocabulary.ts";
import { OneOf, PRINTABLE_TEXT, StrictObject, Text } from "../../../foundation/wire/fields.ts";
import type { GivenHolder } from "../../../modules/fiat/bank-evidence.ts";
import {
  FiatAccountResource,
  KycResource,
  presentFiatAccount,
  presentKyc,
} from "../../../modules/fiat/fiat-account-resource.ts";
import { verifyAccount } from "../../../modules/fiat/verify-account.ts";
import { actorOf } from "../../auth/principal.ts";
import { replyOnce } from "../../idempotency.ts";
import { endpoint } from "../../route.ts";
import { CountryIn, EmailIn, WordsIn } from "../developers/fields.ts";

const Address = Type.Object(
  {
    line1: Type.String({ minLength: 4, maxLength: 35, ...PRINTABLE_TEXT, format: "visible" }),
    line2: Type.Optional(WordsIn(35)),
    city: WordsIn(100),
    state: Text("The code of a state, such as `CA`.", { pattern: "^[A-Z]{2,3}$" }),
    postal_code: WordsIn(20),
    country: CountryIn,
  },
  { additionalProperties: false },
);

const AccountHolder = Type.Object(
  {
    type: Type.Optional(OneOf(HOLDER_TYPES, "Default: that of link-account.")),
    legal_name: Type.Optional({
      ...WordsIn(200),
      description: "Must be the name of the account's owner at the bank.",
    }),
    email: Type.Optional(EmailIn),
    phone: Type.Optional(
      Type.String({
        pattern: "^\\+[1-9]\\d{6,14}$",
        description: "A phone number in E.164.",
        examples: ["+14155550100"],
      }),
    ),
    address: Type.Optional(Address),
  },
  {
    additionalProperties: false,
    description:
      "The holder. What is missing is read from the bank. Stored encrypted and apart from everything else, and never returned.",
  },
);

const VendorText = (maxLength: number) => Type.String({ minLength: 1, maxLength, ...PRINTABLE_TEXT });

const VerifyAccountRequest = StrictObject("VerifyAccountRequest", {
  public_token: { ...VendorText(200), description: "The public token from Plaid Link." },
  account_id: { ...VendorText(200), description: "Plaid's id of the account that the user chose." },
  institution_id: Type.Optional({ ...VendorText(200), description: "Ignored in favor of Plaid's." }),
  institution_name: Type.Optional({ ...VendorText(200), description: "Ignored in favor of Plaid's." }),
  account_holder: Type.Optional(AccountHolder),
  consent_version: Type.Optional({
    ...VendorText(64),
    description: "The version of the consent that the user gave you. Stored in the audit trail.",
  }),
});

const VerifiedAccountResource = Type.Object(
  { account: FiatAccountResource, kyc: KycResource },
  { $id: "VerifiedAccount" },
);

export const verifyAccountRoute = endpoint("POST /api/v1/svc/fiat/verify-account", {
  operationId: "verifyAccount",
  sdk: "fiat.verifyAccount",
  summary: "Finish linking a bank account",
  description:
    "Exchanges the public token of a link that this account has started, compares the owner's name, stores the personal data in a vault, and starts the identification of the holder. A public token makes one account. All accounts of a mode have one holder: otherwise fails with `conflict`. Fails with `bank_link_not_found` for the public token of no open link, and with `owner_mismatch` in `errors` if the bank knows the owner by another name; the user must then link again. After a 503 or another 422, the same request can be repeated or corrected within an hour.",
  auth: "tenant",
  scope: "fiat:write",
  replayGuard: "strict",
  requiresKyb: "fiat",
  body: VerifyAccountRequest,
  answers: { 200: VerifiedAccountResource },
  errors: ["bank_link_not_found", "provider_error", "conflict"],
  example: { public_token: "PUBLIC_TOKEN", account_id: "PLAID_ACCOUNT_ID" },
  run: async (app, request, reply) => {
    const { body } = request;
    const actor = actorOf(request);
    const account = {
      publicToken: body.public_token,
      vendorAccountId: body.account_id,
      holder: body.account_holder === undefined ? null : holderOf(body.account_holder),
      consentVersion: body.consent_version ?? null,
    };
    const present = (held: Parameters<typeof presentFiatAccount>[0]) => ({
      account: presentFiatAccount(held),
      kyc: presentKyc(held.customer),
    });
    return replyOnce(app, request, reply, { status: 200, present }, (saveResponse) =>
      verifyAccount(app, { actor, account }, saveResponse),
    );
  },
});

function holderOf({ legal_name, address, ...holder }: Static<typeof AccountHolder>): GivenHolder {
  return {
    ...{ type: holder.type, email: holder.email, phone: holder.phone, legalName: legal_name },
    address: address && {
      ...{ line1: address.line1, line2: address.line2 ?? null, city: address.city, state: address.state },
      ...{ postalCode: address.postal_code, country: address.country },
    },
  };
}
