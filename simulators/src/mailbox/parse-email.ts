import PostalMime, { type Address, type Email } from "postal-mime";
import { isEmailAddress } from "./email-address.ts";
import { smtpError } from "./smtp-error.ts";
import { urlsInEmail } from "./urls-in-email.ts";

export interface ReceivedEmail {
  /** The From header as text, for example `Purser <no-reply@purser.example>`. */
  readonly sender: string;
  readonly subject: string;
  /** The plain text part. Null if the email has none. */
  readonly text: string | null;
  readonly html: string | null;
  /** The distinct http and https URLs in the text and HTML parts. */
  readonly links: readonly string[];
}

/**
 * Parses an email that was received over SMTP (RFC 5322, MIME). Throws an SMTP error 550 unless it has exactly one From
 * header with an address, a To header with an address, and a valid Date. Real servers vary in strictness, so the
 * strictest rules apply here.
 */
export async function parseEmail(raw: Uint8Array): Promise<ReceivedEmail> {
  const email = await parseMime(raw);
  const sender = senderOf(email);
  if ((email.to ?? []).flatMap((address) => addressesOf(address, "To")).length === 0) {
    throw smtpError(550, "The To header is missing or has no address");
  }
  if (Number.isNaN(Date.parse(email.date ?? ""))) {
    throw smtpError(550, "The Date header is missing or invalid");
  }

  const text = email.text === undefined ? null : toStorableText(email.text);
  const html = email.html === undefined ? null : toStorableText(email.html);
  return {
    sender: toStorableText(sender),
    subject: toStorableText(email.subject ?? ""),
    text,
    html,
    links: urlsInEmail({ html, text }),
  };
}

async function parseMime(raw: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(raw);
  } catch (cause) {
    throw smtpError(550, "The message cannot be parsed", { cause });
  }
}

function senderOf(email: Email): string {
  const headers = email.headers.filter(({ key }) => key === "from").length;
  const [address] = email.from ? addressesOf(email.from, "From") : [];
  if (headers !== 1 || address === undefined) {
    throw smtpError(550, "The message must have exactly one From header, with an address");
  }
  const name = email.from?.name;
  return name ? `${name} <${address}>` : address;
}

function addressesOf(address: Address, header: "From" | "To"): string[] {
  const mailboxes = address.group ?? [address];
  for (const mailbox of mailboxes) {
    if (!isEmailAddress(mailbox.address)) {
      const invalid = mailbox.address || mailbox.name;
      throw smtpError(550, `The ${header} header contains a malformed address: ${invalid}`);
    }
  }
  return mailboxes.map((mailbox) => mailbox.address);
}

// Postgres text cannot contain NUL or unpaired surrogates, but an email can.
function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}
