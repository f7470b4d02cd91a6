/** The client of a request to a public route, which requires no credential. */
export interface ClientInfo {
  readonly network: string;
  /** The User-Agent header, at most 300 characters. */
  readonly userAgent: string | null;
  readonly requestId: string;
}
