import PostalMime, { type Address, type Email } from "postal-mime";
import { isMailAddress } from "./mail-address.ts";
import { smtpRefusal } from "./smtp-refusal.ts";
import { urlsInMail } from "./urls-in-mail.ts";

export interface Mail {
  /** The From header, as a person reads it: `Purser <no-reply@purser.example>`. */
  readonly sender: string;
  readonly subject: string;
  /** Null where the mail has no such part. */
  readonly text: string | null;
  readonly html: string | null;
  /** What the two parts link to, each http or https address once. */
  readonly links: readonly string[];
}

/**
 * Reads a mail as it came over SMTP (RFC 5322, MIME).
 *
 * Refuses with 550 what a careless sender leaves out and some receivers let pass: a single From with an address, a To,
 * and a Date that is one.
 */
export async function readMail(raw: Uint8Array): Promise<Mail> {
  const email = await parse(raw);
  const sender = theSender(email);
  if ((email.to ?? []).flatMap((address) => addressesOf(address, "To")).length === 0) {
    throw smtpRefusal(550, "The To header is missing or names nobody");
  }
  if (Number.isNaN(Date.parse(email.date ?? ""))) {
    throw smtpRefusal(550, "The Date header is missing or not a date");
  }

  const text = email.text === undefined ? null : storable(email.text);
  const html = email.html === undefined ? null : storable(email.html);
  return {
    sender: storable(sender),
    subject: storable(email.subject ?? ""),
    text,
    html,
    links: urlsInMail({ html, text }),
  };
}

async function parse(raw: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(raw);
  } catch (cause) {
    throw smtpRefusal(550, "The message cannot be parsed", { cause });
  }
}

function theSender(email: Email): string {
  const headers = email.headers.filter(({ key }) => key === "from").length;
  const [address] = email.from ? addressesOf(email.from, "From") : [];
  if (headers !== 1 || address === undefined) {
    throw smtpRefusal(550, "A message needs exactly one From header, with an address");
  }
  const name = email.from?.name;
  return name ? `${name} <${address}>` : address;
}

function addressesOf(address: Address, header: "From" | "To"): string[] {
  const mailboxes = address.group ?? [address];
  for (const mailbox of mailboxes) {
    if (!isMailAddress(mailbox.address)) {
      const named = mailbox.address || mailbox.name;
      throw smtpRefusal(550, `The ${header} header holds a malformed address: ${named}`);
    }
  }
  return mailboxes.map((mailbox) => mailbox.address);
}

// Postgres takes neither a NUL nor half a surrogate pair, and a mail may hold both.
function storable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}
