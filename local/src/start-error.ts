/** An error that stops the local profile. The message is for the user and says what to do. */
export class StartError extends Error {
  override readonly name = "StartError";
}
