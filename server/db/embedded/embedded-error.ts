/** The embedded PostgreSQL cannot be used; the message says why and how to fix it, in words for an operator. */
export class EmbeddedError extends Error {
  override name = "EmbeddedError";
}
