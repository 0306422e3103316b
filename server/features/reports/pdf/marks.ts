import type { TimelineEvent } from "#contract/calls/deliveries.ts";

type Draw = (doc: PDFKit.PDFDocument, x: number, y: number) => void;

const cross: Draw = (doc, x, y) =>
  doc
    .moveTo(x + 0.5, y + 0.5)
    .lineTo(x + 5.5, y + 5.5)
    .moveTo(x + 5.5, y + 0.5)
    .lineTo(x + 0.5, y + 5.5)
    .stroke();

/** Six points square, and different in shape, so that they are told apart in black and white. */
export const marks: Record<TimelineEvent["kind"], Draw> = {
  good: (doc, x, y) =>
    doc
      .moveTo(x, y + 3.2)
      .lineTo(x + 2.2, y + 5.4)
      .lineTo(x + 6, y + 0.6)
      .stroke(),
  bad: cross,
  waiting: (doc, x, y) =>
    doc
      .circle(x + 3, y + 3, 2.8)
      .moveTo(x + 3, y + 1.2)
      .lineTo(x + 3, y + 3)
      .lineTo(x + 4.4, y + 3.8)
      .stroke(),
  done: (doc, x, y) =>
    doc
      .moveTo(x + 0.5, y + 3)
      .lineTo(x + 5.5, y + 3)
      .stroke(),
};
