import { Fragment, type ReactNode } from "react";
import { piecesOf } from "#contract/text/message-fields.ts";

/**
 * Text whose fields look like chips. The braces stay in place but are invisible, so that every character is exactly where
 * it is in a text area with the same text. `marked`: a character to highlight.
 */
export function FieldText({ text, marked }: { text: string; marked?: string | undefined }) {
  let at = 0;
  return piecesOf(text).map(({ raw, field }) => {
    at += raw.length;
    if (field === null) return <Fragment key={at}>{marked ? withMarks(raw, marked) : raw}</Fragment>;
    return (
      <mark
        key={at}
        className="rounded-sm bg-lamp-soft box-decoration-clone text-lamp-ink [-webkit-text-stroke:0.3px]"
      >
        {raw.split("").map((character, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- characters have no other key, and never move
          <span
            key={index}
            className={/[\w\s]/.test(character) && character !== "_" ? undefined : "opacity-0"}
          >
            {character}
          </span>
        ))}
      </mark>
    );
  });
}

function withMarks(text: string, character: string): ReactNode[] {
  return text.split(character).flatMap((between, index) => {
    if (index === 0) return [between];
    return [
      <mark
        key={index}
        className="rounded-[2px] bg-sms-soft text-sms underline decoration-2 [-webkit-text-stroke:0.5px]"
      >
        {character}
      </mark>,
      between,
    ];
  });
}
