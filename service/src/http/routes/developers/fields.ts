import type { FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { AppError, type InvalidField, invalidField } from "../../../foundation/errors.ts";
import { invariant } from "../../../foundation/invariant.ts";
import { PRINTABLE_TEXT, STORABLE_TEXT, Text } from "../../../foundation/wire/fields.ts";
import { isCommonPassword } from "../../../modules/developers/common-passwords.ts";
import { isCountry } from "../../../modules/developers/register-developer.ts";
import type { LoginProof } from "../../../modules/developers/sessions/require-recent-login.ts";
import { principalOf } from "../../auth/principal.ts";

/**
 * The pattern of HTML's email field, except that the domain has at least two labels and can contain letters outside
 * ASCII. The `email` format checks the domain as Punycode.
 */
const EMAIL =
  "^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*" + "@[^\\x00-,/:-@\\[-\\x60{-\\x7f]+$";

export const EmailIn = Type.String({
  maxLength: 254,
  format: "email",
  pattern: EMAIL,
  description: "An email address. Stored in lowercase, with an international domain as Punycode.",
  examples: ["ada@example.com"],
});

const PASSWORD_LENGTH_MIN = 12;
const PASSWORD_LENGTH_MAX = 128;

/**
 * NFC normalization can shorten a password to a quarter of its length, so longer text is accepted here.
 * `passwordProblem` checks the length of the normalized password.
 */
export const PasswordIn = Text("12 to 128 characters after Unicode NFC normalization. NUL is not allowed.", {
  minLength: 1,
  maxLength: 4 * PASSWORD_LENGTH_MAX,
  ...STORABLE_TEXT,
});

export const TotpCodeIn = Type.String({
  maxLength: 64,
  format: "totp",
  description: "The six-digit code from the authenticator app. Spaces and hyphens are ignored.",
  examples: ["123456"],
});

/** The format is not checked: a malformed code is treated as a wrong code. */
export const SecondFactorCodeIn = Text("The six-digit code from the authenticator app, or a recovery code.", {
  minLength: 1,
  maxLength: 64,
});

/** Text that a user writes, such as a name. */
export const WordsIn = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, ...PRINTABLE_TEXT, format: "visible" });

export const CountryIn = Type.String({
  pattern: "^[A-Z]{2}$",
  description: "A two-letter country code in capital letters (ISO 3166-1 alpha-2).",
  examples: ["US"],
});

export const IgnoredCaptchaToken = Type.Optional(
  Text("Ignored. This call does not require a captcha.", { maxLength: 8_192 }),
);

/** The result of a check that the schema cannot express. Undefined if the value is valid. */
type FieldProblem = InvalidField | undefined;

/** Throws one `validation_error` that contains all problems. */
export function throwIfInvalid(...problems: readonly FieldProblem[]): void {
  const errors = problems.filter((problem) => problem !== undefined);
  if (errors.length > 0) throw new AppError("validation_error", { errors });
}

export function passwordProblem(password: string): FieldProblem {
  const length = [...password.normalize("NFC")].length;
  if (length < PASSWORD_LENGTH_MIN) {
    return problem("password", "minLength", `must be at least ${PASSWORD_LENGTH_MIN} characters long`);
  }
  if (length > PASSWORD_LENGTH_MAX) {
    return problem("password", "maxLength", `must be at most ${PASSWORD_LENGTH_MAX} characters long`);
  }
  if (password.trim() === "") return problem("password", "blank", "must not consist only of whitespace");
  if (!isCommonPassword(password)) return undefined;
  return problem("password", "common_password", "is one of the most common passwords; choose another");
}

export function countryProblem(country: string | null | undefined, field = "country"): FieldProblem {
  if (country === undefined || country === null || isCountry(country)) return undefined;
  return problem(field, "country", "must be a two-letter country code (ISO 3166-1 alpha-2)");
}

const WEBSITE_SCHEMES = new Set(["http:", "https:"]);

export function websiteProblem(website: string | null | undefined): FieldProblem {
  if (website === undefined || website === null) return undefined;
  const url = URL.parse(website);
  if (url !== null && WEBSITE_SCHEMES.has(url.protocol) && url.username + url.password === "") {
    return undefined;
  }
  return problem("website", "website", "must be an http or https URL without credentials");
}

export function timeZoneProblem(timezone: string | null | undefined): FieldProblem {
  if (timezone === undefined || timezone === null || isTimeZone(timezone)) return undefined;
  return problem("timezone", "timezone", "must be a time zone from the IANA database");
}

/** `Intl.supportedValuesOf` lacks other names of the same zones, such as `Asia/Kolkata`. Offsets are not time zones. */
function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
  } catch {
    return false;
  }
  return !/^[+-]/.test(name);
}

function problem(field: string, code: string, detail: string): InvalidField {
  return { pointer: `/body/${field}`, code, detail };
}

/** Parses `expires_at`. Throws `validation_error` with this code if it is not in the future. */
export function futureTime(text: string, now: Date, code: "past" | "expires_at" = "past"): Date {
  const time = new Date(text);
  if (time > now) return time;
  throw invalidField("/body/expires_at", code, "must be in the future");
}

/** The request fields that confirm a login that is not recent (docs/rules/logins.md). */
export const LOGIN_PROOF = {
  password: Type.Optional({
    ...PasswordIn,
    description:
      "The account's password. Not required if you logged in within the last 15 minutes or send `totp_code`.",
  }),
  totp_code: Type.Optional({
    ...TotpCodeIn,
    description:
      "The six-digit code from the authenticator app. Not required if you logged in within the last 15 minutes or send `password`.",
  }),
};

export const LoginProofRequest = Type.Object(LOGIN_PROOF, {
  $id: "LoginProofRequest",
  additionalProperties: false,
});

export function loginProofOf(
  request: FastifyRequest,
  { password, totp_code }: Static<typeof LoginProofRequest>,
): LoginProof {
  const principal = principalOf(request);
  invariant(principal.kind === "session", "only sessions call routes that need a recent login");
  return {
    loggedInAt: principal.loggedInAt,
    password,
    totpCode: totp_code,
    onWrong: () => request.server.countFailure(request.ip),
  };
}
