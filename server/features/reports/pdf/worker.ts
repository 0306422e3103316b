import { parentPort } from "node:worker_threads";
import { heading, printFrontMatter } from "./front-matter.ts";
import { openLogo } from "./logo.ts";
import { LEFT, Pages, WIDTH } from "./pages.ts";
import { PeopleTable } from "./people-table.ts";
import type { Answer, Part } from "./printed.ts";
import { QUIET } from "./typesetter.ts";

/** The thread that sets a report. It answers each part with the bytes that are ready, so that neither side piles up. */

let pages: Pages | undefined;
let table: PeopleTable | undefined;
let sections = 2;

async function print(part: Part): Promise<Uint8Array> {
  if (part.kind === "head") {
    pages = new Pages(part.head);
    printFrontMatter(pages, part.head, await openLogo(pages.doc, part.head.organization.logo));
    pages.doc.file(Buffer.from(part.head.record.json), {
      name: part.head.record.name,
      type: "application/json",
      description: "The exact content, whose SHA-256 is on every page",
      creationDate: part.head.createdAt,
      modifiedDate: part.head.createdAt,
    });
    return written(pages);
  }
  if (!pages) throw new Error("A report begins with its head.");
  switch (part.kind) {
    case "section":
      sections += 1;
      heading(pages, String(sections), part.section.title, part.section.note);
      table = new PeopleTable(pages);
      break;
    case "people":
      for (const person of part.people) table!.person(person);
      break;
    case "end":
      pages.y += 10;
      if (!pages.fits(30)) pages.add();
      pages.text(part.note, { size: 8.5, color: QUIET }, { x: LEFT, y: pages.y, width: WIDTH });
      pages.end();
      // Images may still be on their way.
      return new Uint8Array(Buffer.concat(await pages.doc.toArray()));
    default:
      part satisfies never;
  }
  return written(pages);
}

/** What the document has written since it was last asked. */
function written({ doc }: Pages): Uint8Array {
  const bytes: Buffer | null = doc.read();
  return bytes ? new Uint8Array(bytes) : new Uint8Array();
}

parentPort!.on("message", (part: Part) => {
  print(part).then(
    (bytes) => answer({ bytes }),
    (error: unknown) =>
      answer({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});

const answer = (message: Answer) =>
  parentPort!.postMessage(message, "bytes" in message ? [message.bytes.buffer as ArrayBuffer] : []);
