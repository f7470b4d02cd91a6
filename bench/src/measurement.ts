/** The figures of one round of a server or of a function. */
export interface Measurement {
  readonly requestsPerSecond: number;
  readonly cpuMicrosPerRequest: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /**
   * The server's CPU time divided by the elapsed time. If the server uses no database and this value is far below 1,
   * the load generator was the bottleneck.
   */
  readonly busy: number;
}
