import type { Channel } from "#contract/delivery.ts";
import type { Preferences } from "#server/features/consent/queries.ts";

const escapes: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escape = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => escapes[sign] ?? sign);

const names: Record<Channel, { title: string; on: string; off: string }> = {
  email: { title: "Email", on: "You get notices by email.", off: "You get no notices by email." },
  sms: {
    title: "Text message",
    on: "You get notices by text message.",
    off: "You get no notices by text message.",
  },
  push: {
    title: "Web push",
    on: "You get notices in your browser.",
    off: "You get no notices in your browser.",
  },
};

// The page stands alone: it must open in any mail client's browser, without scripts and without the web app.
const style = `
  :root { color-scheme: light dark; --paper:#faf8f4; --card:#fff; --line:#e8e3da; --ink:#1d1a16; --ink2:#5d574e; --on:#fdfcfa; --lamp:#e59a1c; --good:#17754a; }
  @media (prefers-color-scheme: dark) { :root { --paper:#141210; --card:#1b1916; --line:#2c2924; --ink:#f4f0e9; --ink2:#b5ada0; --on:#1b1916; --lamp:#f3b04a; --good:#6fd3a2; } }
  * { box-sizing: border-box } body { margin:0; background:var(--paper); color:var(--ink); font:16px/1.5 system-ui,sans-serif }
  main { max-width:34rem; margin:0 auto; padding:2.5rem 1rem } h1 { font-size:1.5rem; line-height:1.25; margin:0 0 .25rem } p { margin:0; color:var(--ink2) }
  .said { margin:1.25rem 0 0; color:var(--good); font-weight:600 }
  ul { list-style:none; margin:1.5rem 0 0; padding:0; background:var(--card); border:1px solid var(--line); border-radius:14px }
  li { display:flex; gap:1rem; align-items:center; justify-content:space-between; padding:1rem 1.25rem } li + li { border-top:1px solid var(--line) }
  li strong { display:block } button { min-height:44px; padding:0 1.1rem; border-radius:10px; border:1px solid var(--line); background:var(--card); color:var(--ink); font:inherit; font-weight:600; cursor:pointer; white-space:nowrap }
  button.stop { background:var(--ink); color:var(--on); border-color:var(--ink) } :focus-visible { outline:3px solid var(--lamp); outline-offset:2px }
`;

const frame = (title: string, body: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><link rel="icon" href="/favicon.svg" type="image/svg+xml"><title>${escape(title)}</title><style>${style}</style></head>
<body><main>${body}</main></body></html>`;

/** A person's own say, opened by the link in a mail. Each button is a form of its own; nothing changes by looking. */
export function preferencesPage(person: Preferences, siteName: string, said: string | null): string {
  const rows = (Object.keys(names) as Channel[]).map((channel) => {
    const { title, on, off } = names[channel];
    const allowed = person.allowed[channel];
    return `<li><div><strong>${title}</strong><span>${allowed ? on : off}</span></div>
      <form method="post"><input type="hidden" name="channel" value="${channel}">
      <input type="hidden" name="allowed" value="${!allowed}">
      <button class="${allowed ? "stop" : ""}" aria-label="${allowed ? "Stop" : "Start"} ${title}">${allowed ? "Stop" : "Start"}</button></form></li>`;
  });
  return frame(
    `What ${siteName} sends you`,
    `<h1>What ${escape(siteName)} sends you</h1><p>Hello ${escape(person.firstName)}. Turn a channel off or on; it holds at once.</p>
     ${said ? `<p class="said" role="status">${escape(said)}</p>` : ""}<ul>${rows.join("")}</ul>`,
  );
}

export function unknownLinkPage(siteName: string): string {
  return frame(
    "This link is not valid",
    `<h1>This link is not valid</h1><p>It may be incomplete. Open it again from a newer message of ${escape(siteName)}, or ask them.</p>`,
  );
}

export const changeSentence = (channel: Channel, allowed: boolean): string =>
  `Saved. ${allowed ? names[channel].on : names[channel].off}`;
