import { styleText } from "node:util";

type Ready = {
  /** Where people open it; undefined for a process without pages. */
  url: string | undefined;
  roles: readonly string[];
  /** Until there is an account. */
  setupCode: string | null;
};

/**
 * What a person looks for first. On a terminal it stands apart from the log lines around it; elsewhere it is lines that
 * programs read.
 */
export function announcement(
  { url, roles, setupCode }: Ready,
  { onTerminal }: { onTerminal: boolean },
): string {
  const bold = (text: string) => (onTerminal ? styleText("bold", text, { validateStream: false }) : text);
  const lines = [
    url ? `Porchlight is ready at ${bold(url)}` : `Porchlight is ready (${roles.join(", ")})`,
    ...(setupCode
      ? [
          "The first account becomes the administrator.",
          `From another computer, you need the setup code ${bold(setupCode)}`,
        ]
      : []),
  ];
  return onTerminal
    ? `\n${lines.map((line) => `  ${line}\n`).join("")}\n`
    : lines.map((line) => `${line}\n`).join("");
}
