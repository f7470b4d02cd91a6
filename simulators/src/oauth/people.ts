import { createHash } from "node:crypto";
import { type Html, html } from "../kit/html.ts";
import type { Query } from "./authorization-request.ts";
import { personaChoice } from "./persona-choice.ts";

/** A user of an identity provider. */
export interface Person {
  /** The value from which the user's ID at the identity provider is derived. */
  readonly key: string;
  readonly name: string;
  readonly email: string;
  readonly emailVerified: boolean;
}

const OTHER_PERSONA = "other";
const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,189}$/;

const PEOPLE: readonly Person[] = [
  { key: "ada", name: "Ada", email: "ada@example.com", emailVerified: true },
  { key: "grace", name: "Grace", email: "grace@example.net", emailVerified: true },
  { key: "linus", name: "Linus", email: "linus@example.com", emailVerified: false },
];

/** Form fields for choosing a user: one of three predefined users, or another user with any email address. */
export function personFields(): Html {
  return html`<fieldset>
          <legend>Log in as</legend>
          ${[
            ...PEOPLE.map(({ key, name, email, emailVerified }) => ({
              id: key,
              name,
              note: `${email}, ${emailVerified ? "verified" : "not verified"}`,
            })),
            { id: OTHER_PERSONA, name: "Another user", note: "with the address below" },
          ].map(personaChoice)}
          <label>Different address (sandbox only)
            <input type="email" name="email" autocomplete="off"></label>
          <label><input type="checkbox" name="unverified" value="yes"> The address is not verified</label>
        </fieldset>`;
}

/** Returns the user chosen in the form, or undefined if the persona is unknown or the address is invalid. */
export function readPerson({ persona, email = "", unverified }: Query): Person | undefined {
  if (typeof email !== "string" || (email !== "" && !ADDRESS.test(email))) return undefined;
  const chosen = persona === OTHER_PERSONA ? personWithEmail(email) : findPerson(persona);
  if (chosen === undefined) return undefined;
  const person = email === "" ? chosen : { ...chosen, email, emailVerified: true };
  return unverified === undefined ? person : { ...person, emailVerified: false };
}

function findPerson(persona: unknown): Person | undefined {
  return PEOPLE.find(({ key }) => key === persona);
}

function personWithEmail(email: string): Person | undefined {
  const [name = ""] = email.split("@");
  return email === "" ? undefined : { key: email.toLowerCase(), name, email, emailVerified: true };
}

/** Derives a numeric ID with the given number of digits from the user's key. */
export function digitsOf({ key }: Pick<Person, "key">, digits: number): string {
  const first = 10n ** BigInt(digits - 1);
  const number = BigInt(`0x${createHash("sha256").update(key).digest("hex")}`);
  return String(first + (number % (9n * first)));
}
