/** What keeps the local profile from starting or from running on, in a sentence that says what to do. */
export class StartError extends Error {
  override readonly name = "StartError";
}
