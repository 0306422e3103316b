/** The embedded PostgreSQL cannot be used. The message tells an operator why and how to fix it. */
export class EmbeddedError extends Error {
  override name = "EmbeddedError";
}
