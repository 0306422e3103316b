import { addressKind, channels, type Channel } from "#contract/delivery.ts";
import { compile, type Content } from "#server/delivery/content/compile.ts";
import type { Attachment } from "#server/delivery/content/compiled.ts";
import { encodedAttachment } from "#server/delivery/content/encoded-attachment.ts";
import type {
  Transport,
  Outcome,
  OutgoingMessage,
  RunContent,
} from "#server/delivery/transports/transport.ts";

/** Test messages for transports, and helpers to send them and record the outcomes. */

export function runContent(content: Partial<Content> = {}, attachments: Attachment[] = []): RunContent {
  const compiled = compile(
    {
      title: "Water off",
      subject: "",
      content: "Hello {{first_name}}",
      answers: {},
      channels,
      attachments: attachments.map(({ name, bytes }) => ({ name, size: bytes.length })),
      ...content,
    },
    { siteName: "Maple Court", smsPrefix: "", emailSignature: "", emailFooter: "" },
    { key: "run-1", today: "November 25, 2026" },
  );
  return { compiled, attachments: attachments.map(encodedAttachment) };
}

const hello = runContent();

const addresses = {
  email: (id: number) => `tenant${id}@example.com`,
  phone: (id: number) => `+1415555${String(1000 + id)}`,
  device: String,
};

/** The address of the nth test recipient. */
export function addressOf(id: number, channel: Channel): string {
  return addresses[addressKind(channel)](id);
}

export function message(
  deliveryId: number,
  overrides: Partial<OutgoingMessage> = {},
  channel: Channel = "email",
): OutgoingMessage {
  return {
    deliveryId,
    attempt: 1,
    address: addressOf(deliveryId, channel),
    name: `Tenant ${deliveryId}`,
    content: hello,
    values: { first_name: "Ann" },
    links: {
      unsubscribe: `https://maple.example/u/T${deliveryId}`,
      preferences: `https://maple.example/p/T${deliveryId}`,
    },
    expiresAt: new Date(Date.now() + 3_600_000),
    urgent: false,
    ...overrides,
  };
}

type Sending = { begun: number[]; outcomes: Map<number, Outcome> };

/** Sends and resolves with everything that was reported. Throws if a message is settled twice. */
export async function send(
  transport: Transport,
  messages: readonly OutgoingMessage[],
  signal: AbortSignal = new AbortController().signal,
): Promise<Sending> {
  const begun: number[] = [];
  const outcomes = new Map<number, Outcome>();
  await transport.send(
    messages,
    {
      begun: ({ deliveryId }) => void begun.push(deliveryId),
      settled: ({ deliveryId }, outcome) => {
        if (outcomes.has(deliveryId)) throw new Error(`Delivery ${deliveryId} was settled twice`);
        outcomes.set(deliveryId, outcome);
      },
    },
    signal,
  );
  return { begun, outcomes };
}

/** Sends one message and resolves with its outcome. */
export async function sendOne(
  transport: Transport,
  overrides: Partial<OutgoingMessage> = {},
): Promise<Outcome | undefined> {
  const { outcomes } = await send(transport, [message(1, overrides)]);
  return outcomes.get(1);
}
