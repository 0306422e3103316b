import makeBidi, { type Bidi } from "bidi-js";
import LineBreaker from "linebreak";
import { composed } from "#contract/text/composed.ts";
import { graphemes } from "#contract/text/locale.ts";
import { type FaceName, Fonts } from "./fonts.ts";

/** Sizes and widths in points. */
export type Style = { size: number; bold?: boolean; color?: string };

/** Text in one font and one direction, in the order in which it is read. */
type Run = { text: string; face: FaceName; level: number; width: number };
/** Runs from left to right. */
export type Line = { runs: Run[]; width: number; rtl: boolean };

type Item = { start: number; end: number; face: FaceName; level: number };

// The types declare an ES module; what is loaded is the function itself.
const bidi = (makeBidi as unknown as () => Bidi)();

// One font has all of these, and they run in one direction.
const PLAIN = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u00ff]*$/;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;
// They have done their work once directions are known.
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\p{Variation_Selector}\ufeff]/gu;
const JOINING = /[\p{M}\p{Default_Ignorable_Code_Point}]/u;
const FEATURES: PDFKit.Mixins.OpenTypeFeatures[] = [];

/**
 * Sets text in any direction and script that the fonts have: finds fonts, breaks lines, and puts each line's runs in
 * their visual order. PDFKit alone draws one font from left to right.
 */
export class Typesetter {
  readonly #doc: PDFKit.PDFDocument;
  readonly #fonts: Fonts;

  constructor(doc: PDFKit.PDFDocument) {
    this.#doc = doc;
    this.#fonts = new Fonts(doc);
  }

  /** At least one line for each line of the text, each at most `width` wide. */
  lines(text: string, style: Style, width: number): Line[] {
    return text.split(/\r\n?|\n/).flatMap((paragraph) => this.#paragraph(paragraph, style, width));
  }

  /** One line, however wide it is. */
  line(text: string, style: Style): Line {
    return this.lines(text, style, Infinity)[0]!;
  }

  /** `y` is the line's base line. */
  draw({ runs }: Line, { size, color = INK }: Style, x: number, y: number): void {
    let left = x;
    for (const { text, face, level, width } of runs) {
      this.#doc.font(face).fontSize(size).fillColor(color);
      this.#doc.text(text, left, y, { lineBreak: false, baseline: "alphabetic", ...featuresOf(level) });
      left += width;
    }
  }

  #paragraph(original: string, style: Style, width: number): Line[] {
    const bold = style.bold ?? false;
    if (PLAIN.test(original)) {
      const item = { start: 0, end: original.length, face: this.#fonts.latin(bold), level: 0 };
      const whole = this.#toLine(original, [item], 0, style, 0, original.length);
      if (whole.width <= width) return [whole];
    }
    const text = this.#printable(composed(original).replaceAll("\t", "    "), bold);
    const { levels, paragraphs } = bidi.getEmbeddingLevels(text);
    const base = paragraphs[0]?.level ?? 0;
    const items = this.#itemize(text, levels, bold);
    const toLine = (start: number, end: number) => this.#toLine(text, items, base, style, start, end);
    const lines: Line[] = [];
    let start = 0;
    let end = 0;
    for (const next of this.#breaks(text, (from, to) => toLine(from, to).width <= width)) {
      if (end > start && toLine(start, next).width > width) {
        lines.push(toLine(start, end));
        start = end;
      }
      end = next;
    }
    lines.push(toLine(start, text.length));
    return lines;
  }

  /** Where a line may end: between words, and within a word only if it is wider than a line. */
  *#breaks(text: string, fits: (start: number, end: number) => boolean): Generator<number> {
    const breaker = new LineBreaker(text);
    let start = 0;
    for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
      const { position } = next;
      if (!fits(start, position)) {
        for (const { index } of graphemes().segment(text.slice(start, position))) {
          if (index > 0) yield start + index;
        }
      }
      yield position;
      start = position;
    }
  }

  /** A character that no font has stands as its number: a wrong picture would say something else. */
  #printable(text: string, bold: boolean): string {
    let printable = "";
    for (const character of text) {
      const known = JOINING.test(character) || this.#fonts.faceOf(character.codePointAt(0)!, bold) !== null;
      printable += known ? character : `[U+${character.codePointAt(0)!.toString(16).toUpperCase()}]`;
    }
    return printable;
  }

  #itemize(text: string, levels: Uint8Array, bold: boolean): Item[] {
    const items: Item[] = [];
    let place = 0;
    for (const character of text) {
      const last = items.at(-1);
      const level = levels[place]!;
      const end = place + character.length;
      const found = this.#fonts.faceOf(character.codePointAt(0)!, bold, last?.face);
      const face = found ?? last?.face ?? this.#fonts.latin(bold);
      if (last && last.face === face && last.level === level) last.end = end;
      else items.push({ start: place, end, face, level });
      place = end;
    }
    return items;
  }

  #toLine(text: string, items: Item[], base: number, style: Style, start: number, end: number): Line {
    const trimmed = start + text.slice(start, end).trimEnd().length;
    const runs = items
      .filter((item) => item.start < trimmed && item.end > start)
      .map(({ face, level, ...item }) => {
        const part = text.slice(Math.max(item.start, start), Math.min(item.end, trimmed));
        const shown = inDirection(part.replace(INVISIBLE, ""), level);
        const width = this.#doc.font(face).fontSize(style.size).widthOfString(shown, featuresOf(level));
        return { text: shown, face, level, width };
      })
      .filter((run) => run.text !== "");
    return {
      runs: visual(runs),
      width: runs.reduce((sum, run) => sum + run.width, 0),
      rtl: base % 2 === 1,
    };
  }
}

export const INK = "#1a1713";
export const QUIET = "#57524a";

// With features of its own, text is shaped as a whole: word by word, words would stand from left to right.
const featuresOf = (level: number) => (level % 2 === 1 ? { features: FEATURES } : {});

/**
 * The text as the shaper expects it. It turns a run around by the run's script, and knows nothing of the direction that
 * it has in its line: brackets have to be mirrored, and what the script alone would get wrong is turned around first.
 */
function inDirection(text: string, level: number): string {
  const rtl = level % 2 === 1;
  if (!rtl && !RIGHT_TO_LEFT.test(text)) return text;
  const characters = Array.from(text, (one) => (rtl ? (bidi.getMirroredCharacter(one) ?? one) : one));
  return (rtl === RIGHT_TO_LEFT.test(text) ? characters : characters.toReversed()).join("");
}

/** From left to right: rule L2 of the Unicode Bidirectional Algorithm, on runs. */
function visual(runs: Run[]): Run[] {
  const ordered = [...runs];
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level--) {
    for (let from = 0; from < ordered.length; from++) {
      if (ordered[from]!.level < level) continue;
      let to = from;
      while (to < ordered.length && ordered[to]!.level >= level) to++;
      ordered.splice(from, to - from, ...ordered.slice(from, to).toReversed());
      from = to;
    }
  }
  return ordered;
}
