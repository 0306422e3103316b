import { numberText } from "#contract/text/locale.ts";
import { isolated } from "#contract/text/isolate.ts";
import type { Logo } from "./logo.ts";
import { LEFT, leading, type Pages, RIGHT, TOP, WIDTH } from "./pages.ts";
import type { PrintedHead } from "./printed.ts";
import { INK, QUIET, type Style } from "./typesetter.ts";

const LABEL: Style = { size: 8, color: QUIET };
const VALUE: Style = { size: 9, bold: true };
const BODY: Style = { size: 9 };
const SMALL: Style = { size: 8, color: QUIET };
const PAD = 9;

/** The first pages: who sent what to whom, the figures, and the exact content with its hash. */
export function printFrontMatter(pages: Pages, head: PrintedHead, logo: Logo | null): void {
  letterhead(pages, head, logo);
  facts(pages, head);
  for (const notice of head.notices) box(pages, notice);
  heading(pages, "1", "Summary");
  people(pages, head);
  figures(pages, head);
  for (const [term, meaning] of head.definitions) defined(pages, term, meaning);
  heading(
    pages,
    "2",
    "Exact content",
    "Frozen when it was sent. Words in {{braces}} were filled in for each person.",
  );
  for (const content of head.contents) message(pages, content);
  attachments(pages, head);
  hash(pages, head);
}

/** A section's title, with room for a few lines below it. */
export function heading(pages: Pages, number: string, title: string, note = ""): void {
  const style: Style = { size: 12, bold: true };
  if (!pages.fits(90)) pages.add();
  else pages.y += 14;
  const y = pages.y;
  const { type } = pages;
  const first = type.line(number, { ...style, bold: false, color: QUIET });
  type.draw(first, { ...style, bold: false, color: QUIET }, LEFT, y + style.size);
  const named = type.line(title, style);
  type.draw(named, style, LEFT + 14, y + style.size);
  const left = LEFT + 14 + named.width + 10;
  if (note) pages.text(note, SMALL, { x: left, y: y + 3.5, width: RIGHT - left });
  pages.y += leading(style) + 6;
}

function letterhead(
  pages: Pages,
  { organization, title, number, zone }: PrintedHead,
  logo: Logo | null,
): void {
  const y = 36;
  let x = LEFT;
  if (logo) {
    const scale = Math.min(110 / logo.width, 38 / logo.height);
    pages.doc.image(logo as unknown as Buffer, x, y, {
      width: logo.width * scale,
      height: logo.height * scale,
    });
    x += logo.width * scale + 12;
  }
  const name: Style = { size: 11, bold: true };
  const height = pages.text(organization.name, name, { x, y: y + 4, width: 300 });
  pages.text(organization.email, SMALL, { x, y: y + 4 + height, width: 300 });
  pages.textTo("Delivery Report", { size: 17, bold: true }, RIGHT, y + 8);
  pages.y = Math.max(TOP + 20, y + 4 + height + 20);
  pages.rule(pages.y, { weight: 1.2, color: INK });
  pages.y += 12;
  pages.y += pages.text(title, { size: 14, bold: true }, { x: LEFT, y: pages.y, width: WIDTH });
  pages.y += pages.text(`Notification ${number}. ${zone}`, SMALL, { x: LEFT, y: pages.y, width: WIDTH }) + 8;
}

/** Labels above their values, two in a row. */
function facts(pages: Pages, head: PrintedHead): void {
  const column = WIDTH / 2;
  for (let place = 0; place < head.facts.length; place += 2) {
    const height = Math.max(
      ...head.facts.slice(place, place + 2).map(([label, value], index) => {
        const at = { x: LEFT + index * column, y: pages.y + 4, width: column - 12 };
        const above = pages.text(label, LABEL, at);
        return above + pages.text(value, VALUE, { ...at, y: at.y + above });
      }),
    );
    pages.rule(pages.y);
    pages.y += height + 10;
  }
  pages.rule(pages.y);
}

function box(pages: Pages, { title, text }: PrintedHead["notices"][number]): void {
  const width = WIDTH - 2 * PAD;
  const bold = { ...VALUE, size: 10 };
  const height =
    pages.type.lines(title, bold, width).length * leading(bold) +
    pages.type.lines(text, BODY, width).length * leading(BODY);
  pages.y += 10;
  if (!pages.fits(height + 2 * PAD)) pages.add();
  pages.doc
    .lineWidth(1.4)
    .strokeColor(INK)
    .rect(LEFT, pages.y, WIDTH, height + 2 * PAD)
    .stroke();
  const at = { x: LEFT + PAD, y: pages.y + PAD, width };
  const above = pages.text(title, bold, at);
  pages.text(text, BODY, { ...at, y: at.y + above });
  pages.y += height + 2 * PAD;
}

function people(pages: Pages, head: PrintedHead): void {
  const count: Style = { size: 20, bold: true };
  let x = LEFT;
  for (const { label, count: number, bad } of head.people) {
    const color = bad && number > 0 ? "#a3200d" : INK;
    const line = pages.type.line(numberText(number), count);
    pages.type.draw(line, { ...count, color }, x, pages.y + count.size);
    const below = pages.type.line(label, SMALL);
    pages.type.draw(below, { ...SMALL, color: bad ? color : QUIET }, x, pages.y + 33);
    x += Math.max(line.width, below.width) + 30;
  }
  pages.y += 44;
}

function figures(pages: Pages, { table }: PrintedHead): void {
  const columns = table.head.length - 1;
  const first = 90;
  const step = (WIDTH - first) / columns;
  const row = (cells: string[], style: Style) => {
    pages.text(cells[0]!, { ...style, bold: true }, { x: LEFT, y: pages.y + 4, width: first });
    cells
      .slice(1)
      .forEach((cell, place) => pages.textTo(cell, style, LEFT + first + (place + 1) * step, pages.y + 4));
    pages.y += leading(style) + 8;
  };
  row(table.head, LABEL);
  for (const cells of table.rows) {
    pages.rule(pages.y);
    row(cells, BODY);
  }
  pages.rule(pages.y);
  pages.y += 8;
}

function defined(pages: Pages, term: string, meaning: string): void {
  const label = pages.type.line(`${term}: `, { ...SMALL, bold: true, color: INK });
  if (!pages.fits(leading(SMALL))) pages.add();
  pages.type.draw(label, { ...SMALL, bold: true, color: INK }, LEFT, pages.y + SMALL.size);
  const indent = 62;
  pages.y += pages.text(meaning, SMALL, { x: LEFT + indent, y: pages.y, width: WIDTH - indent });
}

/** One channel's text between two rules. It may take several pages. */
function message(pages: Pages, { label, simulated, fields, text }: PrintedHead["contents"][number]): void {
  if (!pages.fits(90)) pages.add();
  pages.rule(pages.y, { color: INK });
  pages.y += 6;
  pages.text(simulated ? `${label} · SIMULATED` : label, VALUE, { x: LEFT, y: pages.y, width: WIDTH });
  pages.y += leading(VALUE) + 3;
  for (const [name, value] of fields) {
    pages.text(name, SMALL, { x: LEFT + PAD, y: pages.y + 0.8, width: 60 });
    pages.y += pages.text(value, { ...BODY, bold: true }, { x: LEFT + 72, y: pages.y, width: WIDTH - 72 });
  }
  pages.y += 4;
  const height = leading(BODY);
  const width = WIDTH - 2 * PAD;
  for (const line of pages.type.lines(text, BODY, width)) {
    if (!pages.fits(height)) pages.add();
    const left = line.rtl ? LEFT + PAD + width - line.width : LEFT + PAD;
    pages.type.draw(line, BODY, left, pages.y + BODY.size);
    pages.y += height;
  }
  pages.y += 8;
}

function attachments(pages: Pages, head: PrintedHead): void {
  if (head.attachments.length === 0) return;
  if (!pages.fits(50)) pages.add();
  pages.rule(pages.y, { color: INK });
  pages.y += 6;
  pages.y += pages.text("Attachments", VALUE, { x: LEFT, y: pages.y, width: WIDTH }) + 2;
  for (const { name, size, sha256 } of head.attachments) {
    if (!pages.fits(2 * leading(BODY))) pages.add();
    const at = { x: LEFT + PAD, y: pages.y, width: WIDTH - PAD };
    pages.y += pages.text(`${isolated(name)}, ${size}`, BODY, at);
    pages.y += pages.text(`SHA-256 ${sha256}`, SMALL, { ...at, y: pages.y }) + 2;
  }
  pages.y += 6;
}

function hash(pages: Pages, { record }: PrintedHead): void {
  const mono: Style = { size: 9, bold: true };
  const explained =
    `This is the SHA-256 of ${record.name}, a file that is attached to this PDF. It has the title, the time, the text ` +
    "on every channel, and the SHA-256 of each attachment. A change to a single character would change it. To check " +
    `it: pdfdetach -save 1 -o ${record.name} report.pdf, then sha256sum ${record.name}.`;
  const height = pages.type.lines(explained, SMALL, WIDTH - 2 * PAD).length * leading(SMALL);
  const whole = height + leading(VALUE) + leading(mono) + 2 * PAD + 4;
  if (!pages.fits(whole)) pages.add();
  pages.doc.rect(LEFT, pages.y, WIDTH, whole).fill("#f1eee8");
  const at = { x: LEFT + PAD, y: pages.y + PAD, width: WIDTH - 2 * PAD };
  const above = pages.text("SHA-256 of the content", VALUE, at);
  const below = pages.text(record.sha256, mono, { ...at, y: at.y + above + 2 });
  pages.text(explained, SMALL, { ...at, y: at.y + above + below + 4 });
  pages.y += whole;
}
