/** The state of this process. */
export interface ServiceHealth {
  /** The reason why requests are refused now. Null if they are not. */
  refusal: string | null;
}
