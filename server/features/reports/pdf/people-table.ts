import { isolated } from "#contract/text/isolate.ts";
import { marks } from "./marks.ts";
import { LEFT, leading, type Pages, RIGHT } from "./pages.ts";
import type { PrintedEvent, PrintedPerson } from "./printed.ts";
import { INK, type Line, QUIET, type Style } from "./typesetter.ts";

const NAME: Style = { size: 8.5, bold: true };
const TEXT: Style = { size: 8 };
const QUIETER: Style = { size: 7.5, color: QUIET };
const LINE = leading(TEXT);
const GAP = 5;

const columns = {
  number: { x: LEFT, width: 22 },
  person: { x: LEFT + 22, width: 102 },
  channel: { x: LEFT + 130, width: 120 },
  time: { x: LEFT + 256, width: 122 },
  event: { x: LEFT + 394, width: RIGHT - LEFT - 394 },
};

type Cell = { line: Line; style: Style };
type EventBlock = { kind: PrintedEvent["kind"]; time: Cell[]; cells: Cell[] };
type ChannelBlock = { cells: Cell[]; events: EventBlock[] };

/** People with every message to them and everything that happened to each. The head is repeated on every page. */
export class PeopleTable {
  readonly #pages: Pages;

  constructor(pages: Pages) {
    this.#pages = pages;
    this.#head();
  }

  person(person: PrintedPerson): void {
    const pages = this.#pages;
    const named = this.#cells(
      [[person.name, NAME], ...[person.unit ?? "", ...person.filled].map((text) => [text, QUIETER] as const)],
      columns.person.width,
    );
    const channels = person.channels.map((channel) => this.#channel(channel));
    const height = Math.max(named.length * LINE, sum(channels.map(heightOf)) + GAP * channels.length) + GAP;
    // A person stays on one page, unless there is more to say than a page holds.
    if (!pages.fits(height)) {
      if (pages.fitsAnywhere(height, LINE + GAP) || !pages.fits(4 * LINE)) this.#turn();
    }
    this.#print(person, named, channels);
  }

  #print(person: PrintedPerson, named: Cell[], channels: ChannelBlock[]): void {
    const pages = this.#pages;
    pages.y += GAP;
    pages.textTo(String(person.number), QUIETER, columns.number.x + columns.number.width - 8, pages.y + 0.5);
    let bottom = pages.y + this.#column(named, columns.person.x);
    channels.forEach((channel, place) => {
      if (place > 0) {
        pages.y += GAP / 2;
        pages.rule(pages.y, { from: columns.channel.x });
        pages.y += GAP / 2;
      }
      const turned = this.#events(channel, () => {
        this.#turn();
        pages.y += GAP;
        const again = this.#cells([[`${isolated(person.name)} (continued)`, NAME]], columns.person.width);
        bottom = pages.y + this.#column(again, columns.person.x);
      });
      if (turned) bottom = Math.max(bottom, pages.y);
    });
    pages.y = Math.max(pages.y, bottom) + GAP;
    pages.rule(pages.y, { color: "#8d877d" });
  }

  /** Prints a channel's events beside its address. Returns whether that took more than one page. */
  #events(channel: ChannelBlock, turn: () => void): boolean {
    const pages = this.#pages;
    let bottom = pages.y + this.#column(channel.cells, columns.channel.x);
    let turned = false;
    for (const event of channel.events) {
      if (!pages.fits(linesOf(event) * LINE)) {
        turn();
        turned = true;
        bottom = pages.y + this.#column(channel.cells, columns.channel.x);
      }
      this.#column(event.time, columns.time.x);
      pages.doc.lineWidth(0.9).strokeColor(INK);
      marks[event.kind](pages.doc, columns.event.x - 11, pages.y + 2.2);
      this.#column(event.cells, columns.event.x);
      pages.y += linesOf(event) * LINE;
    }
    pages.y = Math.max(pages.y, bottom);
    return turned;
  }

  #channel({ label, address, earlier, simulated, events }: PrintedPerson["channels"][number]): ChannelBlock {
    return {
      cells: this.#cells(
        [
          [simulated ? `${label} · SIMULATED` : label, { ...TEXT, bold: true }],
          [address, TEXT],
          ...earlier.map((one) => [`Before a retry: ${one}`, QUIETER] as const),
        ],
        columns.channel.width,
      ),
      events: events.map((event) => ({
        kind: event.kind,
        time: this.#cells([[event.time, TEXT]], columns.time.width),
        cells: this.#cells(
          [
            [event.sentence, TEXT],
            [event.detail ?? "", QUIETER],
          ],
          columns.event.width,
        ),
      })),
    };
  }

  #cells(texts: (readonly [text: string, style: Style])[], width: number): Cell[] {
    return texts
      .filter(([text]) => text !== "")
      .flatMap(([text, style]) =>
        this.#pages.type.lines(text, style, width).map((line) => ({ line, style })),
      );
  }

  /** Prints lines below each other at `x` and returns their height. */
  #column(cells: Cell[], x: number): number {
    const { type, y } = this.#pages;
    cells.forEach(({ line, style }, place) => type.draw(line, style, x, y + place * LINE + TEXT.size));
    return cells.length * LINE;
  }

  #turn(): void {
    this.#pages.add();
    this.#head();
  }

  #head(): void {
    const pages = this.#pages;
    const style: Style = { size: 8, bold: true, color: QUIET };
    const titles = [
      ["Person", columns.person],
      ["Channel and address", columns.channel],
      ["What happened", columns.time],
    ] as const;
    for (const [title, { x, width }] of titles) pages.text(title, style, { x, y: pages.y, width });
    pages.y += LINE + 2;
    pages.rule(pages.y, { color: INK });
  }
}

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);

const linesOf = ({ time, cells }: EventBlock) => Math.max(time.length, cells.length);

const heightOf = ({ cells, events }: ChannelBlock) => Math.max(cells.length, sum(events.map(linesOf))) * LINE;
