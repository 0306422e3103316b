// Runs before the first paint, so a dark console never flashes white. shell/theme.ts keeps it up to date.
(function () {
  var choice = "light";
  try {
    choice = localStorage.getItem("ui-theme") || "light";
  } catch {
    // Storage may be blocked; the default stands.
  }
  var dark = choice === "dark" || (choice === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.classList.toggle("dark", dark);
})();
