import { addressKind, channelMeaning, channels, consentSentence, type Channel } from "#contract/delivery.ts";
import type { FormerAddress } from "#server/features/consent/former-links.ts";
import type { LinkOwner } from "#server/features/consent/queries.ts";

const escapes: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escape = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => escapes[sign] ?? sign);

// The page stands alone: it must open in any mail client's browser, without scripts and without the web app.
const style = `
  :root { color-scheme: light dark; --paper:#faf8f4; --card:#fff; --line:#e8e3da; --edge:#8f877b; --ink:#1d1a16; --ink2:#5d574e; --lamp:#e59a1c; --good:#17754a; --good-soft:#e4f4ec; --warn:#85520a; --warn-soft:#fdf0d8 }
  @media (prefers-color-scheme: dark) { :root { --paper:#141210; --card:#1b1916; --line:#2c2924; --edge:#7a7267; --ink:#f4f0e9; --ink2:#b5ada0; --lamp:#f3b04a; --good:#6fd3a2; --good-soft:#16291f; --warn:#f0b95c; --warn-soft:#2e2413 } }
  * { box-sizing: border-box } body { margin:0; background:var(--paper); color:var(--ink); font:16px/1.5 system-ui,sans-serif }
  main { max-width:34rem; margin:0 auto; padding:2rem 1rem 3rem } h1 { font-size:1.5rem; line-height:1.25; letter-spacing:-.015em; text-wrap:balance; margin:0 0 .5rem; overflow-wrap:anywhere } p { margin:0; color:var(--ink2); text-wrap:pretty }
  .mark { display:block; width:2.25rem; height:2.25rem; margin:0 0 1.25rem }
  .said, .none { margin:1.25rem 0 0; padding:.75rem 1rem; border-radius:10px; font-weight:600 } .said { color:var(--good); background:var(--good-soft) } .none { color:var(--warn); background:var(--warn-soft) }
  ul { list-style:none; margin:1.25rem 0; padding:0; background:var(--card); border:1px solid var(--line); border-radius:14px }
  li { display:flex; gap:1rem; align-items:center; justify-content:space-between; padding:1rem 1.25rem; color:var(--ink2) } li + li { border-top:1px solid var(--line) }
  strong { display:flex; align-items:center; gap:.5rem; color:var(--ink) } strong::before { content:""; width:.625rem; height:.625rem; border-radius:50%; border:2px solid var(--edge); flex:none } .on strong::before { background:var(--good); border-color:var(--good) }
  button { min-height:44px; min-width:5.5rem; padding:0 1rem; border-radius:10px; border:1px solid var(--edge); background:var(--card); color:var(--ink); font:inherit; font-weight:600; cursor:pointer } button:hover { background:var(--paper) }
  small { font-size:.875rem } :focus-visible { outline:3px solid var(--lamp); outline-offset:2px }
`;

const frame = (title: string, body: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><link rel="icon" href="/favicon.svg" type="image/svg+xml"><title>${escape(title)}</title><style>${style}</style></head>
<body><main><img class="mark" src="/favicon.svg" alt="" width="36" height="36">${body}</main></body></html>`;

/** What came of a click: `done` or not, and the sentence. */
export type Said = { done: boolean; text: string };

const saidBox = (said: Said | null) =>
  said ? `<p class="${said.done ? "said" : "none"}" role="status">${escape(said.text)}</p>` : "";

/** A separate form for each button; viewing changes nothing. */
const row = (channel: Channel, allowed: boolean, sentence: string) => {
  const { choice } = channelMeaning[channel];
  return `<li class="${allowed ? "on" : "off"}"><div><strong>${choice}</strong><span>${escape(sentence)}</span></div>
      <form method="post"><input type="hidden" name="channel" value="${channel}">
      <input type="hidden" name="allowed" value="${!allowed}">
      <button aria-label="${allowed ? "Stop" : "Start"} ${choice}">${allowed ? "Stop" : "Start"}</button></form></li>`;
};

/** A person's own preferences, opened by the link in an email. */
export function preferencesPage(person: LinkOwner, siteName: string, said: Said | null): string {
  const rows = channels.map((channel) => {
    const allowed = person.allowed[channel];
    return row(channel, allowed, consentSentence(channel, allowed));
  });
  const none = Object.values(person.allowed).every((allowed) => !allowed)
    ? `<p class="none">Every channel is off. You won't get any notices, not even urgent ones.</p>`
    : "";
  return frame(
    `What ${siteName} sends you`,
    `<h1>What ${escape(siteName)} sends you</h1><p>Hello ${escape(person.firstName)}. Turn a channel on or off. Changes take effect immediately.</p>
     ${saidBox(said)}${none}<ul>${rows.join("")}</ul>
     <p><small>You can come back to this page at any time. Anyone with this link can change these settings, so please don't forward it.</small></p>`,
  );
}

/** Opened by the link in an email that went to an address of someone who is deleted or has another one now. */
export function formerLinkPage(
  addresses: readonly FormerAddress[],
  siteName: string,
  said: Said | null,
): string {
  const rows = addresses.map((one) => row(one.channel, one.allowed, formerSentence(one)));
  return frame(
    `What ${siteName} sends you`,
    `<h1>What ${escape(siteName)} sends you</h1><p>This link came in an earlier message, to someone who isn't on file with this address anymore. What you choose here belongs to the address, whoever has it later.</p>
     ${saidBox(said)}<ul>${rows.join("")}</ul>`,
  );
}

/** `sender`: whose message it came in, as part of a sentence. */
export function unknownLinkPage(sender: string): string {
  return frame(
    "This link is not valid",
    `<h1>This link is not valid</h1><p>It may be incomplete or out of date. Try the link in a newer message from ${escape(sender)}, or contact them.</p>`,
  );
}

export function oldLinkPage(): string {
  return frame(
    "This email is too old",
    "<h1>This email is too old</h1><p>Its links no longer work. If you still need what it was about, reply to it or contact the sender.</p>",
  );
}

/** What holds for an address that was someone's. A number isn't written out: others may read the email. */
export function formerSentence({ channel, address, allowed }: FormerAddress): string {
  const to = addressKind(channel) === "email" ? address : "the phone number that was on file";
  return allowed ? `Messages may be sent to ${to}.` : `No messages are sent to ${to}.`;
}

export const changeSentence = (channel: Channel, allowed: boolean): string =>
  `Saved. ${consentSentence(channel, allowed)}`;
