import type { Page, Route } from "@playwright/test";

/**
 * Answers requests to `url` instead of the server until the returned function is called. After that, they reach the
 * server. `page.unroute` would leave a request that is paused at that moment unanswered forever.
 */
export async function intercept(
  page: Page,
  url: Parameters<Page["route"]>[0],
  answer: (route: Route) => Promise<unknown>,
): Promise<() => void> {
  let intercepting = true;
  await page.route(url, async (route) => {
    await (intercepting ? answer(route) : route.continue());
  });
  return () => {
    intercepting = false;
  };
}
