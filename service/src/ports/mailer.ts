/** A mail of ours to one person. */
export interface Mail {
  /** Ours, made from the outbox message's id: the mail's Message-ID, so that a repeated delivery can be told for what it is. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The mail server refuses this recipient for good (a 5xx to `RCPT TO`): trying again would get the same answer. */
export class RecipientRefusedError extends Error {
  override readonly name = "RecipientRefusedError";
}

export interface Mailer {
  /**
   * Hands the mail to the mail server. Rejects when the server did not take it: with RecipientRefusedError for good, with
   * anything else for now.
   */
  send(mail: Mail): Promise<void>;
}
