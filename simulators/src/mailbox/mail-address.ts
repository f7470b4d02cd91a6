import { domainToASCII } from "node:url";

/**
 * Whether a mail can be sent to this address at all: a local part of at most 64 characters and a domain with a dot.
 * Quoted local parts, address literals (`a@[127.0.0.1]`) and host names without a domain are refused, as the large
 * mail services refuse them.
 */
export function isMailAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s@"<>]{1,64}@[^\s@"<>[\]]+\.[^\s@"<>[\].]+$/.test(text);
}

/**
 * The one spelling under which a mailbox is kept and looked up: lower case, with the domain in its ASCII form, because
 * clients send an international domain in either form.
 */
export function mailboxAddress(address: string): string {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1);
  return `${address.slice(0, at + 1)}${domainToASCII(domain) || domain}`.toLowerCase();
}
