import { fileURLToPath } from "node:url";

/** A font file in both weights, and which characters to look for in it. `plain`: a letter is one glyph, in a row. */
type Face = { regular: string; bold: string; characters: RegExp; plain?: true };

const inter = (subset: string): Face => ({
  regular: `@fontsource/inter/files/inter-${subset}-400-normal.woff`,
  bold: `@fontsource/inter/files/inter-${subset}-600-normal.woff`,
  characters: /[\0-\u058f\u1e00-\u2bff]/,
  plain: true,
});
const noto = (script: string, characters: RegExp): Face => ({
  regular: `@fontsource/noto-sans-${script}/files/noto-sans-${script}-${script}-400-normal.woff`,
  bold: `@fontsource/noto-sans-${script}/files/noto-sans-${script}-${script}-600-normal.woff`,
  characters,
});
const sourceHan = (region: string, characters: RegExp): Face => {
  const file = `@librescore/fonts/SourceHanSans${region}.min.woff2`;
  return { regular: file, bold: file, characters };
};

// A character is set in the first font that has it. Opening a font takes time, for Chinese more than a second, so only
// those that may have a character are opened to find it.
const faces: Face[] = [
  ...["latin", "latin-ext", "greek", "greek-ext", "cyrillic", "cyrillic-ext", "vietnamese"].map(inter),
  noto("hebrew", /[\u0590-\u05ff\ufb1d-\ufb4f]/),
  noto("arabic", /[\u0600-\u08ff\ufb50-\ufdff\ufe70-\ufefc]/),
  sourceHan("KR", /\p{Script=Hangul}/u),
  sourceHan("CN", /[\u2e80-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\u{20000}-\u{3ffff}]/u),
];

/** The name under which a font is registered: "latin 0" is the first one. */
export type FaceName = string;

type Glyph = { advanceWidth: number; codePoints: number[] };
type OpenFont = {
  hasGlyphForCodePoint(codePoint: number): boolean;
  glyphsForString(text: string): Glyph[];
  layout(text: string, ...rest: unknown[]): { glyphs: Glyph[] };
};

/** Finds the font for a character. Fonts are registered with the document when they are first needed. */
export class Fonts {
  readonly #doc: PDFKit.PDFDocument;
  readonly #opened = new Map<FaceName, OpenFont>();
  readonly #found = new Map<number, number | null>();

  constructor(doc: PDFKit.PDFDocument) {
    this.#doc = doc;
  }

  /** The face for plain Latin text, which most text is. */
  latin(bold: boolean): FaceName {
    this.#open(0, bold);
    return faceName(0, bold);
  }

  /** Null if no font has the character. `before` is the face of the character before it, which marks stay with. */
  faceOf(codePoint: number, bold: boolean, before?: FaceName): FaceName | null {
    if (before !== undefined && this.#opened.get(before)!.hasGlyphForCodePoint(codePoint)) {
      if (/\p{M}/u.test(String.fromCodePoint(codePoint))) return before;
    }
    let place = this.#found.get(codePoint);
    if (place === undefined) {
      const character = String.fromCodePoint(codePoint);
      const found = faces.findIndex(
        ({ characters }, index) =>
          characters.test(character) && this.#open(index, false).hasGlyphForCodePoint(codePoint),
      );
      place = found < 0 ? null : found;
      this.#found.set(codePoint, place);
    }
    if (place === null) return null;
    this.#open(place, bold);
    return faceName(place, bold);
  }

  #open(place: number, bold: boolean): OpenFont {
    const name = faceName(place, bold);
    let font = this.#opened.get(name);
    if (!font) {
      const { regular, bold: heavy } = faces[place]!;
      this.#doc.registerFont(name, fileURLToPath(import.meta.resolve(bold ? heavy : regular)));
      this.#doc.font(name);
      // PDFKit has no public way to ask whether a font has a character.
      const { _font: current } = this.#doc as unknown as { _font: { font: OpenFont } };
      font = current.font;
      if (faces[place]!.plain) setPlainly(font);
      else nameDots(font);
      this.#opened.set(name, font);
    }
    return font;
  }
}

/**
 * Places letters side by side, unless there are marks to place. Shaping, which finds nothing else to do in these scripts
 * but kerning, would take most of the time that a report takes.
 */
function setPlainly(font: OpenFont): void {
  const shape = font.layout.bind(font);
  font.layout = (text, ...rest) => {
    if (/\p{M}/u.test(text)) return shape(text, ...rest);
    const glyphs = font.glyphsForString(text);
    const positions = glyphs.map(({ advanceWidth }) => ({
      xAdvance: advanceWidth,
      yAdvance: 0,
      xOffset: 0,
      yOffset: 0,
    }));
    return {
      glyphs,
      positions,
      // PDFKit scales the positions first.
      get advanceWidth() {
        return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
      },
    };
  };
}

// A mark without a look, which searches pass over.
const GRAPHEME_JOINER = 0x034f;

/**
 * Arabic letters are drawn as a stroke and its dots. Those dots stand for no letter of their own, and without a
 * character for them, text that is copied from the PDF would have control characters there.
 */
function nameDots(font: OpenFont): void {
  const shape = font.layout.bind(font);
  font.layout = (text, ...rest) => {
    const run = shape(text, ...rest);
    for (const glyph of run.glyphs) {
      if (glyph.codePoints.length === 0) glyph.codePoints = [GRAPHEME_JOINER];
    }
    return run;
  };
}

function faceName(place: number, bold: boolean): FaceName {
  const face = faces[place]!;
  // PDFKit opens a file again and again if it has two names.
  return `${place}${bold && face.bold !== face.regular ? " bold" : ""}`;
}
