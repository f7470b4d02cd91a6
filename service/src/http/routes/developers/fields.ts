import { Type } from "typebox";
import { AppError, type InvalidField } from "../../../foundation/errors.ts";
import { PRINTABLE_TEXT, STORABLE_TEXT } from "../../../foundation/wire/common.ts";
import { isCommonPassword, isCountry } from "../../../modules/developers/index.ts";

/** The form of HTML's own email field, with a domain of at least two labels. The format bounds the part before the "@". */
const EMAIL =
  "^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*" +
  "@[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$";

export const EmailIn = Type.String({
  maxLength: 254,
  format: "email",
  pattern: EMAIL,
  description: "An email address. Kept in lower case.",
  examples: ["ada@example.com"],
});

const PASSWORD_LENGTH_MIN = 12;
const PASSWORD_LENGTH_MAX = 128;

/** A password may be four times as long before NFC brings its characters together. */
export const PasswordIn = Type.String({
  minLength: 1,
  maxLength: 4 * PASSWORD_LENGTH_MAX,
  ...STORABLE_TEXT,
  description: "Text without NUL characters. Compared after Unicode NFC.",
});

/** A code by time, as a device shows it. */
export const TotpCodeIn = Type.String({
  pattern: "^\\d{6}$",
  description: "Six digits, as the device shows them.",
  examples: ["123456"],
});

/** Of a form that the caller need not know: what is no code at all is as wrong as another one. */
export const SecondFactorCodeIn = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "Six digits of the device, or a recovery code.",
});

/** Words of a person's own. */
export const WordsIn = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, format: "not-blank", ...PRINTABLE_TEXT });

export const CountryIn = Type.String({
  pattern: "^[A-Z]{2}$",
  description: "Two capital letters, as in ISO 3166-1 alpha-2.",
  examples: ["US"],
});

/** A value that its schema lets pass, and why it is refused all the same. */
export type Problem = InvalidField | undefined;

/** Refuses a request over everything that is wrong with it at once. */
export function refuseInvalid(...problems: readonly Problem[]): void {
  const errors = problems.filter((problem) => problem !== undefined);
  if (errors.length > 0) throw new AppError("validation_error", { errors });
}

export function passwordProblem(password: string): Problem {
  const length = [...password.normalize("NFC")].length;
  if (length < PASSWORD_LENGTH_MIN) {
    return problem("password", "minLength", `needs at least ${PASSWORD_LENGTH_MIN} characters`);
  }
  if (length > PASSWORD_LENGTH_MAX) {
    return problem("password", "maxLength", `has more than ${PASSWORD_LENGTH_MAX} characters`);
  }
  if (password.trim() === "") return problem("password", "blank", "is nothing but white space");
  if (!isCommonPassword(password)) return undefined;
  return problem("password", "common_password", "is among the passwords that are tried first");
}

export function countryProblem(country: string | null | undefined): Problem {
  if (country === undefined || country === null || isCountry(country)) return undefined;
  return problem("country", "country", "is not a country of ISO 3166-1");
}

const WEBSITE_SCHEMES = new Set(["http:", "https:"]);

export function websiteProblem(website: string | null | undefined): Problem {
  if (website === undefined || website === null) return undefined;
  const url = URL.parse(website);
  if (url !== null && WEBSITE_SCHEMES.has(url.protocol) && url.username + url.password === "") {
    return undefined;
  }
  return problem("website", "website", "must be an http or https address without credentials");
}

const timeZones: ReadonlySet<string> = new Set(["UTC", ...Intl.supportedValuesOf("timeZone")]);

export function timeZoneProblem(timezone: string | null | undefined): Problem {
  if (timezone === undefined || timezone === null || timeZones.has(timezone)) return undefined;
  return problem("timezone", "timezone", "is not a time zone of the IANA database");
}

function problem(field: string, code: string, detail: string): InvalidField {
  return { pointer: `/body/${field}`, code, detail };
}
