import { createBrowserHistory, type RouterHistory } from "@tanstack/react-router";

/**
 * The browser's history. If an entry would become the same as the one before it, it goes back there instead: a dialog in
 * the URL opens with a new entry and closes by replacing it, and otherwise Back would then do nothing once.
 */
export function createHistory(): RouterHistory {
  const history = createBrowserHistory();
  const { replace } = history;
  /** The addresses by their place. Those from before the page was loaded are unknown. */
  const entries: string[] = [];
  let goingBack = false;
  const placeNow = () => {
    const { __TSR_index: place } = history.location.state;
    return place;
  };
  const note = () => {
    goingBack = false;
    entries[placeNow()] = history.location.href;
  };
  note();
  history.subscribe(note);
  history.replace = (path, state, options) => {
    // Going back takes a moment, and must not be done twice.
    if (goingBack || entries[placeNow() - 1] !== path) return replace(path, state, options);
    goingBack = true;
    return history.back(options);
  };
  return history;
}
