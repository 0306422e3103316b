import { Parser, type ParserOptions } from "htmlparser2";
import { UnreadableWorkbook } from "./workbook.ts";

/** A workbook's own elements are nested less than a dozen deep. */
const DEEPEST = 200;

export type Handlers = {
  /** An element's name without its prefix, and its attributes by theirs. */
  open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  close?: (name: string) => void;
  text?: (text: string) => void;
};

const local = (name: string) => name.slice(name.indexOf(":") + 1);

/**
 * Reads XML or HTML. Entities that a document declares itself are not expanded, and nothing is fetched. Throws if it is
 * nested deeper than any spreadsheet.
 */
export function markupParser({ open, close, text }: Handlers, options: ParserOptions): Parser {
  let depth = 0;
  return new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > DEEPEST) throw new UnreadableWorkbook("damaged");
        open?.(local(name), attributes);
      },
      onclosetag(name) {
        depth -= 1;
        close?.(local(name));
      },
      ontext: (piece) => text?.(piece),
    },
    options,
  );
}

/** Reads XML as it arrives; what `taken` has ready is passed on after each piece, and nothing more is read once `done`. */
export async function* readXml<T>(
  stream: AsyncIterable<Uint8Array>,
  handlers: Handlers,
  taken: () => Iterable<T> = () => [],
  done: () => boolean = () => false,
): AsyncGenerator<T> {
  const parser = markupParser(handlers, { xmlMode: true, decodeEntities: true });
  const decoder = new TextDecoder();
  for await (const piece of stream) {
    parser.write(decoder.decode(piece, { stream: true }));
    yield* taken();
    if (done()) return;
  }
  parser.end();
}

/** Reads a whole part that has no rows. */
export async function readAll(stream: AsyncIterable<Uint8Array>, handlers: Handlers): Promise<void> {
  for await (const _ of readXml(stream, handlers));
}
