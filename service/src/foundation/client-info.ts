/** Whoever calls a public endpoint: nobody yet, from somewhere, with something. */
export interface ClientInfo {
  readonly network: string;
  /** At most 300 characters of what the client calls itself. */
  readonly userAgent: string | null;
  readonly requestId: string;
}
