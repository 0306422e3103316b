import type { ReactNode } from "react";
import { numberText } from "#contract/text/locale.ts";
import { Button } from "#web/ui/page/button.tsx";
import { lastPage } from "#web/ui/list/use-real-page.ts";

/** What is listed: one of them, and several. */
export type Noun = readonly [one: string, many: string];

type Props = {
  /** Rows on this page. */
  shown: number;
  total: number;
  /** The total is an estimate. */
  about?: boolean | undefined;
  /** How much of the total is paged, if other rows are above the first page. */
  paged?: number;
  /** "notification", "notifications" */
  noun: Noun;
  /** Starts at 1. */
  page: number;
  pageSize: number;
  /** After the number of rows. */
  footer?: ReactNode;
  onPage: (page: number) => void;
};

/** A list's footer: "Showing 25 of 312 notifications", Previous, Next. */
export function Pagination({
  shown,
  total,
  about,
  paged = total,
  noun: [one, many],
  page,
  pageSize,
  footer,
  onPage,
}: Props) {
  const last = lastPage(paged, pageSize);
  const roughly = about ? "about " : "";
  return (
    <nav
      aria-label={`Pages of ${many}`}
      className="flex flex-wrap items-center justify-between gap-3 border-line px-1 py-3 rows:[:has(>table)+&]:border-t rows:[:has(>table)+&]:px-4"
    >
      <output className="text-sm text-ink-2 tabular">
        {`Showing ${numberText(shown)} of ${roughly}${numberText(total)} ${total === 1 ? one : many}`}
        {footer}
      </output>
      <div className="flex items-center gap-2 max-sm:w-full max-sm:*:[button]:flex-1">
        <Button size="sm" disabled={page <= 1} onClick={() => onPage(page - 1)}>
          Previous
        </Button>
        {last > 1 && (
          // The first line stays the same from page to page, so a screen reader would say nothing.
          <output className="px-1 text-sm text-ink-3 tabular">
            <span className="sr-only">Page </span>
            {numberText(page)} of {roughly}
            {numberText(last)}
          </output>
        )}
        <Button size="sm" disabled={page >= last} onClick={() => onPage(page + 1)}>
          Next
        </Button>
      </div>
    </nav>
  );
}
