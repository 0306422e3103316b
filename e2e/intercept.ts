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

/**
 * Never opens the page's event stream, so that nothing but the test makes the page read again. An event, or a stream
 * that opens late, would: at the moment of the click, a Retry button could be busy with that, and the click be lost.
 */
export async function withoutEvents(page: Page): Promise<void> {
  await page.route(/\/api\/events\b/, () => undefined);
}

/** Lets requests to `url` reach the server only after the returned function was called. */
export async function hold(page: Page, url: string): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await held.promise;
    await route.fallback();
  });
  return held.resolve;
}

/** The answer of a server with a fault. */
export const flooded = (route: Route): Promise<void> =>
  route.fulfill({ status: 500, json: { code: "internal", message: "The cellar is flooded" } });

/** The page of something in front of the server. */
export const blocked = (route: Route, status: number): Promise<void> =>
  route.fulfill({ status, contentType: "text/html", body: "<html><h1>Blocked</h1></html>" });

/**
 * Makes the page retry what waits in the browser, as it does when the network is back. A click on "Try now" would miss:
 * the page also retries automatically after a few seconds, and what was sent loses its button.
 */
export const retrySending = (page: Page): Promise<void> =>
  page.evaluate(() => void window.dispatchEvent(new Event("online")));
