/** An HTTP request to a developer's server. */
export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

/** What came of it. */
export interface WebhookAnswer {
  /** The HTTP status. Null if there was no complete answer. */
  readonly status: number | null;
  /** The first 64 KiB of the answer. */
  readonly body: string;
  /** Why there was no complete answer. */
  readonly error: string | null;
  readonly durationMs: number;
}

/** Sends requests to servers that developers name, and to no address of the network that Purser runs in. */
export interface WebhookSender {
  /** Returns why nothing can be sent to this URL, or null. Resolves its name; a name that does not resolve is accepted. */
  refusalOf(url: string): Promise<string | null>;
  /** Sends the request. Follows no redirect. Never throws. */
  send(request: WebhookRequest): Promise<WebhookAnswer>;
}
