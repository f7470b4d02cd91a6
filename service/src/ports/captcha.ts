/** Tells people from programs where an endpoint is public and costs something. */
export interface Captcha {
  /** A challenge for the client, as JSON to be sent as it is. Undefined where the vendor hands out its own. */
  challenge(now: Date): Promise<object | undefined>;
  /** Whether the token solves a challenge that is not expired and was not used. Rejects when it cannot tell. */
  verify(token: string, now: Date): Promise<boolean>;
}
