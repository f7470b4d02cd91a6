/** What the caller's buckets hold now. A session has none. */
export interface Limits {
  readonly object: "limits";
  readonly data: readonly {
    readonly name: string;
    readonly scope: string;
    readonly limit: number;
    readonly remaining: number;
    /** Until the bucket is full again. */
    readonly reset_seconds: number;
    readonly policy: string;
  }[];
}
