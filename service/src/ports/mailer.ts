/** An email to one recipient. */
export interface Mail {
  /** The Message-ID, derived from the outbox message's id, so that mail servers can recognize a repeated delivery. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The mail server refuses this recipient permanently (a 5xx response to `RCPT TO`). Retrying is pointless. */
export class RecipientRefusedError extends Error {
  override readonly name = "RecipientRefusedError";
}

export interface Mailer {
  /**
   * Delivers the mail to the mail server. Rejects if the server did not accept it: with RecipientRefusedError if the
   * refusal is permanent, with any other error if a retry may succeed.
   */
  send(mail: Mail): Promise<void>;
}
