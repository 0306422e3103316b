/** The channel names for LISTEN and NOTIFY. */

/** Events for open pages. Every web process turns them into server-sent events. */
export const PAGES_CHANNEL = "porchlight";
/** Wakes workers. */
export const WORK_CHANNEL = "porchlight_work";
