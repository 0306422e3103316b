import Document from "pdfkit";
import { locale } from "#contract/text/locale.ts";
import type { Logo } from "./logo.ts";
import type { PrintedHead } from "./printed.ts";
import { INK, QUIET, type Style, Typesetter } from "./typesetter.ts";

// US Letter, in points.
const PAGE = { width: 612, height: 792 };
export const LEFT = 42;
export const RIGHT = PAGE.width - LEFT;
export const WIDTH = RIGHT - LEFT;
export const TOP = 64;
const BOTTOM = PAGE.height - 56;
const FOOT: Style = { size: 7.5, color: QUIET };
const TOTAL = "PageCount";

/** What PDFKit leaves untyped: images before they are placed, objects that pages share, and how a font writes text. */
export type Internals = {
  openImage(bytes: Buffer): Logo;
  page: { xobjects: Record<string, unknown> };
  _font: { id: string; ref(): unknown; encode(text: string): [codes: string[], positions: unknown] };
};

type Shared = { data: Record<string, unknown>; write(text: string): void; end(): void };

/** The pages of a report: where the next line goes, the small print around it, and "Page 3 of 12". */
export class Pages {
  readonly doc: PDFKit.PDFDocument;
  readonly type: Typesetter;
  /** The top of what comes next. */
  y = TOP;
  #count = 0;
  readonly #head: PrintedHead;
  /** Holds the number of pages. Every page refers to it, and it is written last, when the number is known. */
  readonly #total: Shared;

  constructor(head: PrintedHead) {
    this.#head = head;
    this.doc = new Document({
      size: [PAGE.width, PAGE.height],
      margin: 0,
      autoFirstPage: false,
      pdfVersion: "1.7",
      lang: locale,
      displayTitle: true,
      info: {
        Title: `Delivery Report: ${head.title}`,
        Author: head.organization.name,
        Subject: `Notification ${head.number}. SHA-256 of the content: ${head.record.sha256}`,
        Creator: "Porchlight",
        CreationDate: head.createdAt,
      },
    });
    this.type = new Typesetter(this.doc);
    this.#total = this.doc.ref({
      Type: "XObject",
      Subtype: "Form",
      BBox: [0, -4, 60, 12],
    }) as unknown as Shared;
    this.add();
  }

  /** A new page, with its small print. */
  add(): void {
    this.doc.addPage();
    this.#count += 1;
    if (this.#count > 1) this.#runningHead();
    this.#foot();
    this.y = TOP;
  }

  /** Whether this many points are left on the page. */
  fits(height: number): boolean {
    return this.y + height <= BOTTOM;
  }

  /** Whether this would fit on any page, below a head of `above`. */
  fitsAnywhere(height: number, above: number): boolean {
    return TOP + above + height <= BOTTOM;
  }

  /** Sets text and returns its height. Lines that read from right to left stand at the right edge of `width`. */
  text(text: string, style: Style, { x, y, width }: { x: number; y: number; width: number }): number {
    const height = leading(style);
    const lines = this.type.lines(text, style, width);
    lines.forEach((line, place) => {
      const left = line.rtl ? x + width - line.width : x;
      this.type.draw(line, style, left, y + place * height + style.size);
    });
    return lines.length * height;
  }

  /** Sets one line that ends at `right`. */
  textTo(text: string, style: Style, right: number, y: number): void {
    const line = this.type.line(text, style);
    this.type.draw(line, style, right - line.width, y + style.size);
  }

  rule(y: number, { from = LEFT, to = RIGHT, weight = 0.5, color = "#c9c4bb" } = {}): void {
    this.doc.lineWidth(weight).strokeColor(color).moveTo(from, y).lineTo(to, y).stroke();
  }

  /** Ends the last page and writes how many there are. */
  end(): void {
    const { _font: font } = this.doc.font(this.type.line("0", FOOT).runs[0]!.face) as unknown as Internals;
    const [codes] = font.encode(String(this.#count));
    this.#total.data["Resources"] = { Font: { [font.id]: font.ref() } };
    this.#total.write(`BT /${font.id} ${FOOT.size} Tf ${rgb(INK)} rg 0 0 Td <${codes.join("")}> Tj ET`);
    this.#total.end();
    this.doc.end();
  }

  #runningHead(): void {
    const style: Style = { size: 8, color: QUIET };
    const [title] = this.type.lines(this.#head.title, { ...style, bold: true }, WIDTH - 130);
    this.type.draw(title!, { ...style, bold: true, color: INK }, LEFT, 40);
    this.textTo(`Delivery Report, Notification ${this.#head.number}`, style, RIGHT, 32);
    this.rule(50);
  }

  #foot(): void {
    const { organization, record, simulated } = this.#head;
    const y = BOTTOM + 12;
    this.rule(y - 8);
    const [name] = this.type.lines(
      `${simulated ? "SIMULATED · " : ""}${organization.name}`,
      FOOT,
      WIDTH - 130,
    );
    this.type.draw(name!, FOOT, LEFT, y + FOOT.size);
    const hash = this.type.line(`SHA-256 ${record.sha256}`, FOOT);
    this.type.draw(hash, FOOT, LEFT, y + leading(FOOT) + FOOT.size);
    // As wide as the total will be, if half a page holds what six people take.
    const digits = String(Math.ceil(this.#head.listed / 11) + 1).length;
    const of = this.type.line(`Page ${this.#count} of`, { ...FOOT, color: INK });
    const total = RIGHT - digits * FOOT.size * 0.65;
    this.type.draw(of, { ...FOOT, color: INK }, total - of.width - 2, y + FOOT.size);
    (this.doc as unknown as Internals).page.xobjects[TOTAL] = this.#total;
    // PDFKit turns the page upside down, and text back.
    this.doc.addContent(`q 1 0 0 -1 ${total} ${y + FOOT.size} cm /${TOTAL} Do Q`);
  }
}

/** The height of a line. */
export const leading = ({ size }: Style) => Math.ceil(size * 1.38 * 2) / 2;

const rgb = (hex: string) =>
  [1, 3, 5].map((at) => (Number.parseInt(hex.slice(at, at + 2), 16) / 255).toFixed(3)).join(" ");
