// Shows what Web Push brings, also while no page of Porchlight is open. It keeps nothing and answers no other request.

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => {
  const { title, body, notice } = event.data.json();
  const shown = {
    body,
    icon: "/push-icon.png",
    // What comes twice replaces itself.
    tag: `notice-${notice}`,
    data: { path: notice ? `/?notice=${notice}` : "/" },
  };
  event.waitUntil(self.registration.showNotification(title, shown));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(new URL(event.notification.data.path, self.location.origin).href));
});

/** In a page of its own, so that nothing typed elsewhere is lost, unless one shows it already. */
async function open(url) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find((one) => one.url === url);
  if (page) await page.focus();
  else await self.clients.openWindow(url);
}
