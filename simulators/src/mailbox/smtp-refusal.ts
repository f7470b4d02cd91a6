/** The error by which a handler of the SMTP server answers with a code of its own (RFC 5321, section 4.2). */
export function smtpRefusal(
  responseCode: number,
  message: string,
  options?: ErrorOptions,
): Error & { readonly responseCode: number } {
  return Object.assign(new Error(message, options), { responseCode });
}
