import { emit, logFields } from "#server/telemetry/signals.ts";

const APART_MS = 10_000;

/**
 * Reports an error, and the same one again only ten seconds later, with how often it has come: while the database is
 * away, each of a dozen loops meets it every second. Monitoring counts them all.
 */
export function withoutRepeats(
  level: "error" | "warn",
  report: (error: unknown, times: number) => void,
): (error: unknown) => void {
  const reported = new Map<string, { at: number; more: number }>();
  return (error) => {
    const now = performance.now();
    const { code, message, runId } = error as NodeJS.ErrnoException & { runId?: number };
    const about = logFields();
    const key = [code ?? message, runId ?? about.runId, about.deliveryId].join(" ");
    const before = reported.get(key);
    if (before && now - before.at < APART_MS) {
      before.more += 1;
      emit("logLine", { level });
      return;
    }
    for (const [known, { at }] of reported) if (now - at >= APART_MS) reported.delete(known);
    reported.set(key, { at: now, more: 0 });
    report(error, 1 + (before?.more ?? 0));
  };
}
