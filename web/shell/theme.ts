import { useSyncExternalStore } from "react";

export const themes = ["light", "dark", "system"] as const;
export type Theme = (typeof themes)[number];

const KEY = "ui-theme";
const systemDark = window.matchMedia("(prefers-color-scheme: dark)");
const watchers = new Set<() => void>();
let chosen: Theme | undefined;

function read(): Theme {
  try {
    const kept = localStorage.getItem(KEY);
    return themes.find((theme) => theme === kept) ?? "light";
  } catch {
    return "light";
  }
}

function apply() {
  const theme = (chosen ??= read());
  const dark = theme === "dark" || (theme === "system" && systemDark.matches);
  document.documentElement.classList.toggle("dark", dark);
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", dark ? "#141210" : "#faf8f4");
}

/** Applies the chosen theme, and follows changes of the system theme and in other tabs. */
export function followTheme() {
  apply();
  systemDark.addEventListener("change", apply);
  window.addEventListener("storage", (event) => {
    if (event.key !== KEY) return;
    chosen = undefined;
    apply();
    for (const watch of watchers) watch();
  });
}

export function setTheme(theme: Theme) {
  chosen = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Without storage, the choice only lasts until the page is closed.
  }
  apply();
  for (const watch of watchers) watch();
}

export function useTheme(): Theme {
  return useSyncExternalStore(
    (watch) => {
      watchers.add(watch);
      return () => void watchers.delete(watch);
    },
    () => (chosen ??= read()),
  );
}
