import { Fragment } from "react";
import { piecesOf } from "#contract/message-fields.ts";

/**
 * Text with its fields drawn as chips. The braces stay in place and only turn invisible, so that every letter is
 * exactly where it is in a text box with the same text.
 */
export function FieldText({ text }: { text: string }) {
  let at = 0;
  return piecesOf(text).map(({ raw, field }) => {
    at += raw.length;
    if (field === null) return <Fragment key={at}>{raw}</Fragment>;
    return (
      <mark
        key={at}
        className="rounded-sm bg-lamp-soft box-decoration-clone text-lamp-ink [-webkit-text-stroke:0.3px]"
      >
        {raw.split("").map((character, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- letters have nothing else, and never move
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
