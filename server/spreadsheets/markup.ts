import { Parser, type ParserOptions } from "htmlparser2";
import { UnreadableWorkbook } from "./workbook.ts";

/** A workbook's own elements are nested less than a dozen deep. */
const DEEPEST = 200;
/** What 100,000 rows need in a file of 10 MB. Millions of cells without content would keep a processor busy. */
const MOST_ELEMENTS = 12_000_000;
/** The parser holds a name, an attribute or a comment until it ends. None is nearly as long. */
const LONGEST_MARKUP = 1_000_000;
const MOST_ATTRIBUTES = 1000;

export type Handlers = {
  /** An element's name without its prefix, and its attributes by theirs. */
  open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  close?: (name: string) => void;
  text?: (text: string) => void;
};

const local = (name: string) => name.slice(name.indexOf(":") + 1);

/**
 * Reads XML or HTML. Entities that a document declares itself are not expanded, and nothing is fetched. Throws if it is
 * nested deeper, or has more elements, than any spreadsheet.
 */
export function markupParser({ open, close, text }: Handlers, options: ParserOptions): Parser {
  let [depth, elements, attributes] = [0, 0, 0];
  return new Parser(
    {
      onattribute() {
        attributes += 1;
        if (attributes > MOST_ATTRIBUTES) throw new UnreadableWorkbook("damaged");
      },
      onopentag(name, own) {
        attributes = 0;
        depth += 1;
        elements += 1;
        if (depth > DEEPEST) throw new UnreadableWorkbook("damaged");
        if (elements > MOST_ELEMENTS) throw new UnreadableWorkbook("too-large");
        open?.(local(name), own);
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
  let read = 0;
  for await (const piece of stream) {
    const text = decoder.decode(piece, { stream: true });
    read += text.length;
    parser.write(text);
    if (read - parser.endIndex > LONGEST_MARKUP) throw new UnreadableWorkbook("damaged");
    yield* taken();
    if (done()) return;
  }
  parser.end();
}

/** Reads a whole part that has no rows. */
export async function readAll(stream: AsyncIterable<Uint8Array>, handlers: Handlers): Promise<void> {
  for await (const _ of readXml(stream, handlers));
}
