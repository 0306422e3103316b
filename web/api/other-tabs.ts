/** What the tabs of one browser tell each other about their common session. */
export type SessionNews = "signed-in" | "signed-out";

const channel = new BroadcastChannel("porchlight-session");

export function tellOtherTabs(news: SessionNews): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel stays within its origin
  channel.postMessage(news);
}

/** Calls back for each message of another tab. */
export function onNewsFromOtherTabs(hear: (news: SessionNews) => void): void {
  channel.addEventListener("message", ({ data }: MessageEvent<SessionNews>) => hear(data));
}
