import fc from "fast-check";
import { setHomeDates } from "#contract/text/home-dates.ts";
import { setHomeNumbers } from "#contract/text/home-numbers.ts";

// A file of the same process may have moved to another country.
setHomeDates();
setHomeNumbers();

/** Property tests try the same values each time, so that a run tells about the change; SEED=any tries others. */
const asked = process.env["SEED"];
fc.configureGlobal({ seed: asked === undefined ? 20261122 : asked === "any" ? Date.now() : Number(asked) });
