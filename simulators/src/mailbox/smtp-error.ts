/** Returns an error that makes the SMTP server reply with this code (RFC 5321, section 4.2). */
export function smtpError(
  responseCode: number,
  message: string,
  options?: ErrorOptions,
): Error & { readonly responseCode: number } {
  return Object.assign(new Error(message, options), { responseCode });
}
