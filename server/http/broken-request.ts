import type { Socket } from "node:net";
import { type ErrorReply, errorStatus } from "#contract/errors.ts";

const refusals: Record<string, ErrorReply> = {
  HPE_HEADER_OVERFLOW: {
    code: "too-large",
    message: "The URL or the headers of this request are too long",
  },
  ERR_HTTP_REQUEST_TIMEOUT: { code: "too-slow", message: "This request took too long to arrive" },
};

/** Answers an invalid HTTP request in the same form as every other refusal. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const body = refusals[error.code ?? ""] ?? {
    code: "invalid-input",
    message: "This is not a complete HTTP request",
  };
  const text = JSON.stringify(body);
  socket.end(
    [
      `HTTP/1.1 ${errorStatus[body.code]} ${body.code}`,
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(text)}`,
      "Connection: close",
      "",
      text,
    ].join("\r\n"),
  );
}
