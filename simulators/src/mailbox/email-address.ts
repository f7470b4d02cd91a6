import { domainToASCII } from "node:url";

/**
 * Returns true if the address has at most 254 characters, a local part of at most 64 characters and a domain with a
 * dot. Rejects quoted local parts, address literals (`a@[127.0.0.1]`) and single-label host names, as large email
 * services do.
 */
export function isEmailAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s@"<>]{1,64}@[^\s@"<>[\]]+\.[^\s@"<>[\].]+$/.test(text);
}

/**
 * Returns the form in which an address is stored and searched: lowercase, with the domain in ASCII. Clients may send an
 * international domain in Unicode or in ASCII.
 */
export function mailboxAddress(address: string): string {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1);
  return `${address.slice(0, at + 1)}${domainToASCII(domain) || domain}`.toLowerCase();
}
