/** The name that the server gives a file. */
export function fileNameOf(response: Response, otherwise: string): string {
  const exact = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get("Content-Disposition") ?? "")?.[1];
  return exact === undefined ? otherwise : decodeURIComponent(exact);
}
