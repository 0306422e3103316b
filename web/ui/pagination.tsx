import { Button } from "#web/ui/button.tsx";

type Props = {
  /** Rows on this page. */
  shown: number;
  total: number;
  /** "notifications" */
  noun: string;
  /** From 1. */
  page: number;
  pageSize: number;
  onPage: (page: number) => void;
};

/** A list's footer: "Showing 25 of 312 notifications", Previous, Next. */
export function Pagination({ shown, total, noun, page, pageSize, onPage }: Props) {
  const last = Math.max(1, Math.ceil(total / pageSize));
  return (
    <nav
      aria-label={`Pages of ${noun}`}
      className="flex flex-wrap items-center justify-between gap-3 px-4 py-3"
    >
      <output className="text-sm text-ink-2 tabular">
        Showing {shown.toLocaleString("en-US")} of {total.toLocaleString("en-US")} {noun}
        {last > 1 && (
          <span className="text-ink-3">
            , page {page.toLocaleString("en-US")} of {last.toLocaleString("en-US")}
          </span>
        )}
      </output>
      <div className="flex gap-2">
        <Button size="sm" disabled={page <= 1} onClick={() => onPage(page - 1)}>
          Previous
        </Button>
        <Button size="sm" disabled={page >= last} onClick={() => onPage(page + 1)}>
          Next
        </Button>
      </div>
    </nav>
  );
}
