/** What this process knows of its own condition. */
export interface ServiceHealth {
  /** Why requests are refused just now, and null while they are not. */
  refusal: string | null;
}
