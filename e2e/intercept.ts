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
 * Goes to `url` and waits until the page listens to the server. If its event stream opens late, or repeats what has just
 * happened, the page reads again, and an error that a test shows on purpose would be gone before it clicks Retry.
 */
export async function gotoAndListen(page: Page, url: string): Promise<void> {
  const stream = page.waitForResponse("**/api/events?*");
  await page.goto(url);
  await stream;
  // Requests that the page made because of it reach the test before the answer to this.
  await page.evaluate(() => new Promise((done) => setTimeout(done)));
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

/**
 * Answers the page's requests to `url` with a fault until its Retry button is clicked. The page itself switches over,
 * because an event may make it read again at any moment, and the error would be gone before the test clicks.
 */
export async function failUntilRetry(page: Page, url: RegExp): Promise<void> {
  await page.addInitScript((source) => {
    const failing = () => sessionStorage.getItem("retried") === null;
    addEventListener(
      "click",
      ({ target }) => {
        const button = target instanceof Element ? target.closest("button") : null;
        if (button?.textContent === "Retry") sessionStorage.setItem("retried", "yes");
      },
      { capture: true },
    );
    const fetch = window.fetch.bind(window);
    window.fetch = async (input, init) => {
      const address = input instanceof Request ? input.url : String(input);
      if (!failing() || !new RegExp(source).test(address)) return fetch(input, init);
      return Response.json({ code: "internal", message: "The cellar is flooded" }, { status: 500 });
    };
  }, url.source);
}
