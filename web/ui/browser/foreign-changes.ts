/**
 * Keeps the page right when something else changes it, above all a browser's translation: it puts a `<font>` with its own
 * words in place of each of our text nodes. React goes on changing nodes that are no longer there, and would fail at the
 * first one that it removes or inserts something before. Nothing here runs on a page that only React has changed, except
 * that removed text nodes are looked at.
 */
export function tolerateForeignChanges(page: Document): void {
  // What stands in the place of a text node of ours.
  const standIns = new WeakMap<Node, ChildNode>();

  const note = (records: readonly MutationRecord[]) => {
    for (const record of records) {
      // Our own text changed while its translation was shown. The translation would stay, and be wrong.
      if (record.type === "characterData") restore(record.target);
      for (const removed of record.removedNodes) {
        const standIn = removed instanceof Text && !removed.isConnected ? standInOf(record) : undefined;
        if (!standIn) continue;
        standIns.set(removed, standIn);
        observer.observe(removed, { characterData: true });
      }
    }
  };
  const observer = new MutationObserver(note);
  observer.observe(page, { childList: true, subtree: true });

  const restore = (node: Node) => {
    const standIn = standIns.get(node);
    standIns.delete(node);
    if (standIn?.isConnected && !node.isConnected) standIn.replaceWith(node);
  };
  const find = (node: Node) => {
    note(observer.takeRecords());
    restore(node);
  };

  // Node's methods belong to their node, and are only called with one below.
  // oxlint-disable-next-line typescript/unbound-method
  const { removeChild, insertBefore } = Node.prototype;
  // oxlint-disable-next-line no-extend-native -- React calls these, and offers no other way in
  Node.prototype.removeChild = function remove<T extends Node>(this: Node, child: T): T {
    if (child.parentNode !== this) find(child);
    if (child.parentNode) removeChild.call(child.parentNode, child);
    return child;
  };
  // oxlint-disable-next-line no-extend-native
  Node.prototype.insertBefore = function insert<T extends Node>(
    this: Node,
    added: T,
    before: Node | null,
  ): T {
    if (before && before.parentNode !== this) find(before);
    // It may have been wrapped together with others.
    let place = before;
    while (place && place.parentNode !== this) place = place.parentNode;
    insertBefore.call(this, added, place);
    return added;
  };
}

/** What has replaced the text node that this record says was removed; undefined if nothing has. */
function standInOf({ addedNodes, previousSibling, nextSibling }: MutationRecord): ChildNode | undefined {
  const candidates = [...addedNodes, previousSibling, nextSibling];
  return candidates.find(
    (one): one is HTMLElement => one instanceof HTMLElement && one.localName === "font" && one.isConnected,
  );
}
