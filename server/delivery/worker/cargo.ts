import type { OutgoingMessage } from "../channels/channel.ts";
import type { LinksFor } from "../rendered.ts";
import type { Claimed } from "./claim.ts";
import type { Contents, RunMaterial } from "./contents.ts";
import { MissingAttachmentError } from "./contents.ts";

/** Claimed deliveries as a channel takes them, and those of runs whose content could not be had. */
export type Cargo = {
  messages: Map<OutgoingMessage, Claimed>;
  broken: { delivery: Claimed; error: unknown; final: boolean }[];
};

export async function loadCargo(
  deliveries: readonly Claimed[],
  contents: Contents,
  linksFor: LinksFor,
): Promise<Cargo> {
  const materials = new Map<number, RunMaterial | { error: unknown }>();
  for (const runId of new Set(deliveries.map((delivery) => delivery.runId))) {
    materials.set(runId, await contents.of(runId).catch((error: unknown) => ({ error })));
  }
  const cargo: Cargo = { messages: new Map(), broken: [] };
  for (const delivery of deliveries) {
    const material = materials.get(delivery.runId)!;
    if ("error" in material) {
      const { error } = material;
      cargo.broken.push({ delivery, error, final: error instanceof MissingAttachmentError });
    } else {
      cargo.messages.set(messageOf(delivery, material, linksFor), delivery);
    }
  }
  return cargo;
}

function messageOf(delivery: Claimed, { content, values }: RunMaterial, linksFor: LinksFor): OutgoingMessage {
  return {
    deliveryId: delivery.id,
    attempt: delivery.attempts + 1,
    address: delivery.address,
    name: delivery.name,
    content,
    values: { ...values, ...delivery.values },
    links: linksFor(delivery.preferencesToken),
  };
}
