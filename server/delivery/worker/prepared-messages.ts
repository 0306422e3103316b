import type { OutgoingMessage } from "#server/delivery/transports/transport.ts";
import {
  LINK_EXPIRY,
  type FieldValues,
  type LinksFor,
  type MintOneTimeLinks,
  type OneTimeLink,
  type RecipientLinks,
} from "../content/compiled.ts";
import { ownReason } from "../content/reason.ts";
import { EMERGENCY } from "../runs/departure.ts";
import type { Claimed } from "./claim.ts";
import { MissingAttachmentError, type Contents, type RunMaterial } from "./contents.ts";

/** Claimed deliveries in the form a channel takes, and those of runs whose content could not be loaded. */
export type PreparedMessages = {
  messages: Map<OutgoingMessage, Claimed>;
  broken: { delivery: Claimed; error: unknown; final: boolean }[];
  /** The traces of their runs. */
  traces: Set<string>;
};

export type Links = {
  linksFor: LinksFor;
  /** Without it a message with a one-time link cannot be rendered and is refused. */
  mintOneTimeLinks?: MintOneTimeLinks | undefined;
};

type Prepared = (RunMaterial & { oneTimeLinks: ReadonlyMap<number, OneTimeLink> }) | { error: unknown };

export async function prepareMessages(
  deliveries: readonly Claimed[],
  contents: Contents,
  links: Links,
): Promise<PreparedMessages> {
  const prepared = new Map<number, Prepared>();
  // Each on its own, so that a fault in one holds up no other.
  for (const [runId, own] of Map.groupBy(deliveries, (delivery) => delivery.runId)) {
    prepared.set(runId, await prepare(runId, own, contents, links).catch((error: unknown) => ({ error })));
  }
  const loaded: PreparedMessages = { messages: new Map(), broken: [], traces: new Set() };
  for (const delivery of deliveries) {
    const run = prepared.get(delivery.runId)!;
    if ("error" in run) {
      const { error } = run;
      loaded.broken.push({ delivery, error, final: error instanceof MissingAttachmentError });
    } else {
      if (run.traceparent) loaded.traces.add(run.traceparent);
      const link = run.oneTimeLinks.get(delivery.id);
      const own = { ...links.linksFor(delivery.preferencesToken), ...(link && { password: link.url }) };
      const expires = link && { [LINK_EXPIRY]: link.expires };
      loaded.messages.set(messageOf(delivery, run, own, expires), delivery);
    }
  }
  return loaded;
}

async function prepare(
  runId: number,
  deliveries: readonly Claimed[],
  contents: Contents,
  { mintOneTimeLinks }: Links,
): Promise<Prepared> {
  const material = await contents.of(runId);
  const minted =
    material.content.compiled.passwordLink && mintOneTimeLinks
      ? await mintOneTimeLinks(deliveries.map(({ id }) => id))
      : new Map<number, OneTimeLink>();
  return { ...material, oneTimeLinks: minted };
}

function messageOf(
  delivery: Claimed,
  { content, values }: RunMaterial,
  links: RecipientLinks,
  expires: FieldValues = {},
): OutgoingMessage {
  return {
    deliveryId: delivery.id,
    attempt: delivery.attempts + 1,
    round: delivery.round,
    address: delivery.address,
    // One-time links may go to an address that was only claimed, whose owner should read no name that a stranger chose.
    name: content.compiled.passwordLink ? "" : delivery.name,
    content,
    values: { ...values, ...ownReason(delivery), ...delivery.values, ...expires },
    links,
    expiresAt: delivery.expiresAt,
    urgent: delivery.priority === EMERGENCY,
  };
}
