/** An email to one recipient. */
export interface Email {
  /** The Message-ID, derived from the outbox message's id so that mail servers can recognize duplicates. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * Thrown if the mail server permanently rejects the recipient (a 5xx response to `RCPT TO`). A retry would fail too.
 */
export class RecipientRejectedError extends Error {
  override readonly name = "RecipientRejectedError";
}

export interface Mailer {
  /**
   * Sends the email to the mail server. Rejects with RecipientRejectedError if the server permanently rejects the
   * recipient, and with any other error if a retry may succeed.
   */
  send(mail: Email): Promise<void>;
}
