/** What LISTEN and NOTIFY call the channels of this database. */

/** What open pages are told: every web process makes server-sent events of it. */
export const PAGES_CHANNEL = "porchlight";
/** Wakes workers. */
export const WORK_CHANNEL = "porchlight_work";
