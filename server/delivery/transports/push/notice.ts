import { renderPush } from "#server/delivery/content/render.ts";
import type { OutgoingMessage } from "../transport.ts";

/** Push services accept about 4,000 bytes in total, and a screen shows a few lines. The notice has the full text. */
const MAX_BYTES = { title: 300, body: 1500 };

/** What a push message shows. Throws UnfilledFieldsError. */
export function shownText({ content, values }: OutgoingMessage): { title: string; body: string } {
  const { title, body } = renderPush(content.compiled, values);
  return { title: shortened(title, MAX_BYTES.title), body: shortened(body, MAX_BYTES.body) };
}

/** The click target: the full message in this installation. */
export function noticeUrl({ deliveryId, links }: OutgoingMessage): string {
  return new URL(`/?notice=${deliveryId}`, links.preferences).href;
}

/** Time to live, in seconds. */
export function secondsLeft({ expiresAt }: OutgoingMessage): number {
  return Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1000));
}

function shortened(text: string, most: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  // With `stream`, an incomplete character at the end is dropped.
  const start = new TextDecoder().decode(bytes.subarray(0, most), { stream: true });
  return `${start.trimEnd()}…`;
}
