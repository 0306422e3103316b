import { Fragment, type ReactNode } from "react";
import { piecesOf } from "#contract/text/message-fields.ts";

/**
 * Text whose fields look like chips. The braces stay in place, only quieter, so that every character is exactly where it
 * is in a text area with the same text. `marked`: a character to highlight.
 */
export function FieldText({ text, marked }: { text: string; marked?: string | undefined }) {
  let at = 0;
  return piecesOf(text).map(({ raw, field }) => {
    at += raw.length;
    if (field === null) return <Fragment key={at}>{marked ? withMarks(raw, marked) : raw}</Fragment>;
    return (
      <mark key={at} className="rounded-sm bg-quiet-soft box-decoration-clone text-ink-3">
        {raw.split(/(\{\{|\}\})/).map((part, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the parts of one text never move
          <span
            key={index}
            className={/[{}]/.test(part) ? undefined : "text-ink [-webkit-text-stroke:0.3px]"}
          >
            {part}
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
