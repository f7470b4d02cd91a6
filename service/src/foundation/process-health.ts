export interface ProcessHealth {
  /** Why this process currently rejects requests. Null if it accepts them. */
  refusal: string | null;
}
