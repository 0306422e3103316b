import { writeSync } from "node:fs";
import { pino, type Level, type Logger } from "pino";
import { logFields, emit } from "#server/telemetry/signals.ts";

const STDERR = 2;
/** Loaded only where a person is watching. */
const pretty = process.stderr.isTTY
  ? (await import("pino-pretty")).prettyFactory({ colorize: true, ignore: "pid,hostname" })
  : undefined;
/** A slow reader may need a moment to empty the pipe. */
const READER_MS = 100;
const AGAIN_MS = 10_000;

/**
 * To standard error, so that what the process says to people stands alone; as JSON unless a person is watching. Logging
 * never throws and never ends the process: lines that the disk or pipe has no room for are counted, and the count is
 * logged once there is room.
 */
export function createLog(level: Level | "silent"): Logger {
  // An unhandled "error" event would end the process like an exception.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  const lines = logLines((bytes) => writeSync(STDERR, bytes), pretty && ((line) => pretty(line) ?? ""));
  return pino({ level, mixin: fieldsOf }, lines);
}

/** What every line of this server has besides its own fields. */
export function fieldsOf(_line: object, level: number): object {
  emit("logLine", { level: pino.levels.labels[level] ?? String(level) });
  return logFields();
}

type Lines = { write(line: string): void };

/** @param write takes some or all of the bytes and returns how many, or throws; `format` changes a line of JSON */
export function logLines(
  write: (bytes: Uint8Array) => number,
  format: (line: string) => string = (line) => line,
): Lines {
  let lost = 0;
  let because = "";
  let torn = false;
  let again: NodeJS.Timeout | undefined;

  const put = (line: string) => {
    let bytes: Uint8Array = Buffer.from(torn ? `\n${format(line)}` : format(line));
    const giveUp = performance.now() + (lost === 0 ? READER_MS : 0);
    while (bytes.length > 0) {
      try {
        bytes = bytes.subarray(write(bytes));
        torn = bytes.length > 0;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code !== "EAGAIN" || performance.now() > giveUp) throw error;
      }
    }
  };
  const reportLost = () => {
    if (lost === 0) return;
    const msg = `${lost === 1 ? "1 log line" : `${lost} log lines`} could not be written (${because})`;
    put(`${JSON.stringify({ level: 40, time: Date.now(), pid: process.pid, lost, msg })}\n`);
    lost = 0;
    clearInterval(again);
    again = undefined;
  };
  const attempt = (work: () => void): boolean => {
    try {
      work();
      return true;
    } catch (error) {
      because = (error as NodeJS.ErrnoException).code ?? String(error);
      return false;
    }
  };

  return {
    write(line) {
      const written = attempt(() => {
        reportLost();
        put(line);
      });
      if (written) return;
      lost += 1;
      again ??= setInterval(() => attempt(reportLost), AGAIN_MS).unref();
    },
  };
}
