import type { OutgoingMessage } from "../channels/channel.ts";
import type { RecipientLinks } from "../content/compiled.ts";
import type { LinksFor, MintPasswordLinks } from "../rendered.ts";
import type { Claimed } from "./claim.ts";
import type { Contents, RunMaterial } from "./contents.ts";
import { MissingAttachmentError } from "./contents.ts";

/** Claimed deliveries as a channel takes them, and those of runs whose content could not be had. */
export type Cargo = {
  messages: Map<OutgoingMessage, Claimed>;
  broken: { delivery: Claimed; error: unknown; final: boolean }[];
};

export type Links = {
  linksFor: LinksFor;
  /** Without it a message that carries a one-time link cannot be written, and is refused. */
  mintPasswordLinks?: MintPasswordLinks | undefined;
};

type Material = RunMaterial | { error: unknown };

export async function loadCargo(
  deliveries: readonly Claimed[],
  contents: Contents,
  { linksFor, mintPasswordLinks }: Links,
): Promise<Cargo> {
  const materials = new Map<number, Material>();
  for (const runId of new Set(deliveries.map((delivery) => delivery.runId))) {
    materials.set(runId, await contents.of(runId).catch((error: unknown) => ({ error })));
  }
  const passwordLinks = await mintFor(deliveries, materials, mintPasswordLinks);
  const cargo: Cargo = { messages: new Map(), broken: [] };
  for (const delivery of deliveries) {
    const material = materials.get(delivery.runId)!;
    if ("error" in material) {
      const { error } = material;
      cargo.broken.push({ delivery, error, final: error instanceof MissingAttachmentError });
    } else {
      const password = passwordLinks.get(delivery.id);
      const links = { ...linksFor(delivery.preferencesToken), ...(password && { password }) };
      cargo.messages.set(messageOf(delivery, material, links), delivery);
    }
  }
  return cargo;
}

async function mintFor(
  deliveries: readonly Claimed[],
  materials: ReadonlyMap<number, Material>,
  mint: MintPasswordLinks | undefined,
): Promise<ReadonlyMap<number, string>> {
  const carrying = deliveries.filter(({ runId }) => {
    const material = materials.get(runId)!;
    return "content" in material && material.content.compiled.passwordLink === true;
  });
  return carrying.length === 0 || !mint ? new Map() : mint(carrying.map(({ id }) => id));
}

function messageOf(
  delivery: Claimed,
  { content, values }: RunMaterial,
  links: RecipientLinks,
): OutgoingMessage {
  return {
    deliveryId: delivery.id,
    attempt: delivery.attempts + 1,
    address: delivery.address,
    name: delivery.name,
    content,
    values: { ...values, ...delivery.values },
    links,
  };
}
