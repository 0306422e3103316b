/** What a failure says about itself, or `otherwise` if it says nothing. */
export function reasonOf(error: unknown, otherwise = "Something went wrong"): string {
  return (error instanceof Error && error.message) || otherwise;
}
