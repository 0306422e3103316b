import type { LinkOptions } from "@tanstack/react-router";
import type { ReactNode } from "react";

/** One line of the command palette: a place to go, or something to do. */
export type PaletteItem = {
  /** Unique in the palette: "person 12". */
  key: string;
  label: string;
  detail?: string | undefined;
  /** Other words that find it. */
  words?: string;
  icon: ReactNode;
  /** At the right end, such as a status. */
  end?: ReactNode;
} & ({ link: LinkOptions } | { run: () => void });

/** Lines under a heading. */
export type PaletteGroup = {
  title: string;
  items: PaletteItem[];
  /** How many there are, if not all of them are shown. */
  total?: number;
  /** This part of the search failed. */
  failed?: boolean;
};
