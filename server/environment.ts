import * as z from "zod";

/** One environment variable: what it means, its default, and how its text is read. */
type Setting<Schema extends z.ZodType = z.ZodType> = {
  /** For the documentation; Markdown. */
  meaning: string;
  /** The value when the variable is not set, as the documentation shows it. */
  default?: string;
  /** From the variable's text, undefined when not set, to its value. */
  schema: Schema;
  /** The value may contain a password: an error shows it without, or not at all. */
  secret?: boolean;
};

export type Settings = Readonly<Record<string, Setting>>;
export type SettingValues<Declared extends Settings> = {
  [Name in keyof Declared]: z.output<Declared[Name]["schema"]>;
};

/** The message lists every invalid setting with its fix, and no secret. */
export class ConfigError extends Error {
  override name = "ConfigError";

  constructor(problems: readonly string[]) {
    const count = problems.length === 1 ? "A setting is" : `${problems.length} settings are`;
    super(`${count} wrong:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
  }
}

export const setting = <Schema extends z.ZodType>(entry: Setting<Schema>) => entry;

/** A text that `read` parses. If it returns undefined, the error is `mustBe`; if it throws, its message. */
export const readable = <Value>(mustBe: string, read: (text: string) => Value | undefined) =>
  z.string().transform((text, context) => {
    try {
      const value = read(text);
      if (value !== undefined) return value;
      context.addIssue(`must be ${mustBe}`);
    } catch (error) {
      context.addIssue((error as Error).message);
    }
    return z.NEVER;
  });

export const wholeNumber = (from: number, to: number) =>
  readable(`a whole number from ${from} to ${to}`, (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= from && value <= to ? value : undefined;
  });
