import { createHash } from "node:crypto";
import { type Html, html } from "../mailbox/html.ts";
import type { Query } from "./authorization-request.ts";
import { personaChoice } from "./persona-choice.ts";

/** Somebody with an account at an identity provider. */
export interface Person {
  /** What the provider's id of the person is made from: it stays the same when the address changes. */
  readonly key: string;
  readonly name: string;
  readonly email: string;
  readonly emailVerified: boolean;
}

const SOMEBODY = "somebody";
const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,189}$/;

const PEOPLE: readonly Person[] = [
  { key: "ada", name: "Ada", email: "ada@example.com", emailVerified: true },
  { key: "grace", name: "Grace", email: "grace@nobody.example", emailVerified: true },
  { key: "linus", name: "Linus", email: "linus@example.com", emailVerified: false },
];

/** The form's fields in which a person says who they are: one of three, or, in the sandbox only, anybody at any address. */
export function personFields(): Html {
  return html`<fieldset>
          <legend>You are</legend>
          ${[
            ...PEOPLE.map(({ key, name, email, emailVerified }) => ({
              id: key,
              name,
              note: `${email}, ${emailVerified ? "verified" : "not verified"}`,
            })),
            { id: SOMEBODY, name: "Somebody else", note: "at the address below" },
          ].map(personaChoice)}
          <label>Another address, in place of theirs (the sandbox's own field)
            <input type="email" name="email" autocomplete="off"></label>
          <label><input type="checkbox" name="unverified" value="yes"> which is not verified</label>
        </fieldset>`;
}

/** Whom the answer names; undefined where it is nobody, or has an address that is none. */
export function personIn({ persona, email = "", unverified }: Query): Person | undefined {
  if (typeof email !== "string" || (email !== "" && !ADDRESS.test(email))) return undefined;
  const chosen = persona === SOMEBODY ? somebodyAt(email) : personOf(persona);
  if (chosen === undefined) return undefined;
  const known = email === "" ? chosen : { ...chosen, email, emailVerified: true };
  return unverified === undefined ? known : { ...known, emailVerified: false };
}

function personOf(persona: unknown): Person | undefined {
  return PEOPLE.find(({ key }) => key === persona);
}

function somebodyAt(email: string): Person | undefined {
  const [name = ""] = email.split("@");
  return email === "" ? undefined : { key: email.toLowerCase(), name, email, emailVerified: true };
}

/** An id of so many digits that is always the same for one person. */
export function digitsOf({ key }: Pick<Person, "key">, digits: number): string {
  const first = 10n ** BigInt(digits - 1);
  const number = BigInt(`0x${createHash("sha256").update(key).digest("hex")}`);
  return String(first + (number % (9n * first)));
}
