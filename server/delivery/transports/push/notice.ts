import { renderPush } from "#server/delivery/content/render.ts";
import type { OutgoingMessage } from "../transport.ts";

/** Push services take about 4,000 bytes in all, and a screen shows a few lines. The notice has the rest. */
const MOST_BYTES = { title: 300, body: 1500 };

/** What a push message shows. Throws UnfilledFieldsError. */
export function shownText({ content, values }: OutgoingMessage): { title: string; body: string } {
  const { title, body } = renderPush(content.compiled, values);
  return { title: shortened(title, MOST_BYTES.title), body: shortened(body, MOST_BYTES.body) };
}

/** Where a click leads: to the whole message, in this installation. */
export function noticeUrl({ deliveryId, links }: OutgoingMessage): string {
  return new URL(`/?notice=${deliveryId}`, links.preferences).href;
}

/** Until the message is too old to be shown, in seconds. */
export function secondsLeft({ expiresAt }: OutgoingMessage): number {
  return Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1000));
}

function shortened(text: string, most: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  // As a stream: half of a character at the end is left out.
  const start = new TextDecoder().decode(bytes.subarray(0, most), { stream: true });
  return `${start.trimEnd()}…`;
}
