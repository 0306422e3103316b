import { useEffect } from "react";

let screen = "";
let site = "Porchlight";

function show() {
  document.title = screen === "" ? site : `${screen} · ${site}`;
}

/** Names the browser's tab after the screen and the site. */
export function usePageTitle(title: string) {
  useEffect(() => {
    screen = title;
    show();
  }, [title]);
}

/** The site's name in the tab, once it is known. */
export function useSiteTitle(name: string | undefined) {
  useEffect(() => {
    if (name === undefined) return;
    site = name;
    show();
  }, [name]);
}
