import { useRouter } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import { useRef, useState, type KeyboardEvent, type MouseEvent } from "react";
import { numberText } from "#contract/text/locale.ts";
import { usePrincipal, useUser } from "#web/api/session.ts";
import { recentItems } from "#web/domain/recent-items.ts";
import { actionsFor, helpFor, screensFor } from "#web/shell/palette/commands.tsx";
import { SHORTEST, finder, recentItem } from "#web/shell/palette/find.tsx";
import type { PaletteGroup, PaletteItem } from "#web/shell/palette/item.ts";
import { bestMatches } from "#web/shell/palette/match.ts";
import { PaletteList, optionId } from "#web/shell/palette/palette-list.tsx";
import { ErrorState } from "#web/ui/feedback/error-state.tsx";
import { Kbd, modifierKey } from "#web/ui/page/kbd.tsx";
import { useReturnFocus } from "#web/ui/dialog/return-focus.ts";
import { Spinner } from "#web/ui/feedback/spinner.tsx";
import { useSearch } from "#web/ui/form/use-search.ts";

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Typed before the dialog was there. */
  typedEarly: string;
};

const LIST = "palette-list";
/** How many actions and screens match at most, so that what the server found is in view. */
const MOST = 4;
const MOST_HELP = 3;
/** How many actions are shown before anything is typed. */
const FIRST_ACTIONS = 6;

/** Finds every screen, action, person and message. Arrow keys choose, Enter opens. Loaded through palette.tsx. */
export default function PaletteDialog({ open, onOpenChange, typedEarly }: Props) {
  const router = useRouter();
  const user = useUser();
  const principal = usePrincipal();
  const [text, setText] = useState(typedEarly);
  const [attempt, setAttempt] = useState(1);
  const [chosen, setChosen] = useState<string>();
  // Enter was pressed before the results arrived, so their first line will be opened.
  const awaited = useRef(false);
  const left = useRef(false);
  const { onOpenAutoFocus, onCloseAutoFocus } = useReturnFocus();

  const q = text.trim();
  const own = ownGroups();
  const found = useSearch(finder(principal), {
    text: q,
    source: `search ${attempt}`,
    enabled: q !== "",
    onFound(options) {
      const [first] = merged([...own, ...options]).flatMap(({ items }) => items);
      if (awaited.current && first) pick(first, false);
    },
  });
  const groups = merged(
    q === ""
      ? own
      : [...own, ...found.options, { title: "Help", items: helpFor(principal, q).slice(0, MOST_HELP) }],
  );
  const items = groups.flatMap((group) => group.items);
  const active = items.find(({ key }) => key === chosen) ?? items[0];
  const waiting = q !== "" && !found.settled;
  const tooShort = q.length < SHORTEST;

  function ownGroups(): PaletteGroup[] {
    const [actions, screens] = [actionsFor(principal), screensFor(principal)];
    if (q === "") {
      return [
        { title: "Recent", items: recentItems(user?.id ?? 0).map(recentItem) },
        { title: "Actions", items: actions.slice(0, FIRST_ACTIONS) },
        { title: "Go to", items: screens },
      ];
    }
    const fitting = (all: PaletteItem[]) =>
      bestMatches(all, q, ({ label, words = "" }) => `${label} ${words}`).slice(0, MOST);
    return [
      { title: "Actions", items: fitting(actions) },
      { title: "Go to", items: fitting(screens) },
    ];
  }

  function pick(item: PaletteItem, newTab: boolean) {
    if ("link" in item && newTab) {
      window.open(router.buildLocation(item.link as never).href, "_blank", "noopener");
      return;
    }
    left.current = true;
    onOpenChange(false);
    if ("run" in item) item.run();
    else void router.navigate(item.link as never);
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step) {
      event.preventDefault();
      const at = active ? items.indexOf(active) : 0;
      // Single steps go around; a page stops at the end.
      const next = Math.abs(step) === 1 ? (at + step + items.length) % items.length : at + step;
      setChosen(items[Math.min(Math.max(next, 0), items.length - 1)]?.key);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (active) pick(active, event.metaKey || event.ctrlKey);
      else awaited.current = waiting;
    }
  }

  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className="animate-fade fixed inset-0 z-80 grid grid-cols-1 items-start justify-items-center bg-(--scrim) md:px-6 md:pt-[8dvh] md:pb-6">
          <Primitive.Content
            onOpenAutoFocus={onOpenAutoFocus}
            onCloseAutoFocus={(event) => {
              if (!left.current) return onCloseAutoFocus(event);
              event.preventDefault();
              // A dialog that is still open, or that has just been opened, has the focus.
              const dialog = document.querySelector<HTMLElement>('[role="dialog"]');
              (dialog ?? document.querySelector("main"))?.focus();
            }}
            aria-describedby={undefined}
            className="animate-sheet flex h-dvh w-full flex-col bg-card shadow-dialog outline-none md:h-auto md:max-h-[min(38rem,calc(92dvh-1.5rem))] md:max-w-[640px] md:rounded-lg"
          >
            <Primitive.Title className="sr-only">Search or jump to</Primitive.Title>
            <div className="flex items-center gap-3 border-b border-line px-4 md:px-5">
              <Search aria-hidden className="size-5 shrink-0 text-ink-3" />
              <input
                type="text"
                role="combobox"
                data-autofocus
                aria-label="Search or jump to"
                aria-autocomplete="list"
                aria-expanded={items.length > 0}
                aria-controls={LIST}
                aria-activedescendant={active && optionId(LIST, active)}
                autoComplete="off"
                autoCorrect="off"
                spellCheck={false}
                enterKeyHint="go"
                maxLength={200}
                placeholder="Search or jump to"
                value={text}
                onChange={(event) => {
                  setText(event.target.value);
                  setChosen(undefined);
                  awaited.current = false;
                }}
                onKeyDown={onKeyDown}
                className="h-14 min-w-0 flex-1 bg-transparent text-[1.0625rem] outline-none placeholder:text-ink-3"
              />
              {waiting && <Spinner className="shrink-0 text-ink-3" />}
              <Primitive.Close className="shrink-0 rounded-sm px-1 text-sm font-medium text-ink-2 touch:min-h-11">
                <span className="md:hidden">Cancel</span>
                <span className="max-md:hidden">
                  <span className="sr-only">Close</span>
                  <Kbd>Esc</Kbd>
                </span>
              </Primitive.Close>
            </div>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
            <div tabIndex={0} className="scroll-quiet min-h-0 flex-1 px-2 pb-3 outline-none">
              <PaletteList
                id={LIST}
                groups={groups}
                search={q}
                active={active}
                onActive={({ key }) => setChosen(key)}
                onPick={(item, event: MouseEvent) =>
                  pick(item, event.metaKey || event.ctrlKey || event.button === 1)
                }
              />
              {found.error !== undefined && q !== "" && (
                <ErrorState
                  title="We couldn't search"
                  detail={found.error}
                  busy={waiting}
                  onRetry={() => setAttempt(attempt + 1)}
                />
              )}
              {items.length === 0 && !waiting && found.error === undefined && (
                <p className="px-3 py-10 text-center text-ink-2">
                  {tooShort ? (
                    `Type at least ${SHORTEST} characters`
                  ) : (
                    <>
                      Nothing found for “<bdi translate="no">{q}</bdi>”.{" "}
                      {/\s/.test(q) ? "Try fewer words." : "Try another word."}
                    </>
                  )}
                </p>
              )}
            </div>
            <footer className="flex items-center gap-5 border-t border-line bg-paper px-5 py-2.5 text-sm text-ink-2 max-md:sr-only md:rounded-b-lg">
              <span aria-hidden className="flex items-center gap-1.5">
                <Kbd>↑</Kbd>
                <Kbd>↓</Kbd> Move
              </span>
              <span aria-hidden className="flex items-center gap-1.5">
                <Kbd>↵</Kbd> Open
              </span>
              <span aria-hidden className="flex items-center gap-1.5">
                <Kbd>{modifierKey()}↵</Kbd> Open in new tab
              </span>
              <output className="ml-auto tabular">{tooShort || waiting ? "" : resultsText(groups)}</output>
            </footer>
          </Primitive.Content>
        </Primitive.Overlay>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** Groups of the same title become one; empty ones are left out. */
function merged(groups: readonly PaletteGroup[]): PaletteGroup[] {
  const byTitle = new Map<string, PaletteGroup>();
  for (const group of groups) {
    const first = byTitle.get(group.title);
    byTitle.set(group.title, first ? { ...first, items: [...first.items, ...group.items] } : group);
  }
  return [...byTitle.values()].filter(({ items, failed }) => items.length > 0 || failed);
}

/** "7 results", counting those that are not shown. */
function resultsText(groups: readonly PaletteGroup[]): string {
  const count = groups.reduce((sum, { total, items }) => sum + (total ?? items.length), 0);
  return count === 1 ? "1 result" : `${numberText(count)} results`;
}
