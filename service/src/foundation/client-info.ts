/** The client of a public route, which has no credential. */
export interface ClientInfo {
  readonly network: string;
  /** The User-Agent header, at most 300 characters. */
  readonly userAgent: string | null;
  readonly requestId: string;
}
