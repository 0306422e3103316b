import { Link } from "@tanstack/react-router";
import { ChevronLeft } from "lucide-react";
import { useEffect, useRef } from "react";
import { NoticeLetter, useNotice } from "#web/features/notices/notice-letter.tsx";
import { usePageTitle } from "#web/ui/page/page-title.ts";

/** One notice in the place of the list. */
export function NoticePage({ id }: { id: number }) {
  const read = useNotice(id);
  const title = read.data?.title;
  usePageTitle(title ?? "Notice");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (title !== undefined) heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <div className="mx-auto w-full max-w-[40rem]">
      <Link
        to="/"
        search={(now: { notice?: number | undefined }) => ({ ...now, notice: undefined })}
        replace
        className="-ml-1 mb-3 inline-flex min-h-11 items-center gap-1 rounded-md pr-3 font-semibold"
      >
        <ChevronLeft aria-hidden className="size-5" />
        Notices
      </Link>
      <NoticeLetter
        read={read}
        heading={
          <h1
            ref={heading}
            tabIndex={-1}
            className="mb-4 text-[1.375rem] leading-7 font-bold tracking-tight break-words outline-none sm:text-2xl"
          >
            <bdi translate="no">{title}</bdi>
          </h1>
        }
      />
    </div>
  );
}
