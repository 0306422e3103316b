import { compile } from "#server/delivery/content/compile.ts";
import type { Content } from "#server/delivery/content/compile.ts";
import type { Attachment } from "#server/delivery/content/compiled.ts";
import { encodedAttachment } from "#server/delivery/content/encoded-attachment.ts";
import type {
  Transport,
  Outcome,
  OutgoingMessage,
  RunContent,
} from "#server/delivery/transports/transport.ts";
import { smtpAccount, smtpServers } from "../environment.ts";
import { smtpSettings } from "../settings.ts";
import { SmtpTransport } from "../transport.ts";
import type { Timeouts } from "../open-connection.ts";

/** What the tests of this folder send, and how they watch it. */

export function transportTo(
  url: string,
  options: { connections?: number; timeouts?: Partial<Timeouts>; from?: string; verify?: boolean } = {},
): SmtpTransport {
  const { connections = 1, timeouts, from = "office@maple.example", verify } = options;
  const { settings } = smtpAccount(smtpServers(url)[0]!, { from, connections });
  return new SmtpTransport(smtpSettings.parse(settings), timeouts, verify);
}

export function runContent(content: Partial<Content> = {}, attachments: Attachment[] = []): RunContent {
  const compiled = compile(
    {
      title: "Water off",
      subject: "",
      content: "Hello {{first_name}}",
      answers: {},
      channels: ["email"],
      attachments: attachments.map(({ name, bytes }) => ({ name, size: bytes.length })),
      ...content,
    },
    { siteName: "Maple Court", smsPrefix: "", emailSignature: "", emailFooter: "" },
    { key: "run-1", today: "November 25, 2026" },
  );
  return { compiled, attachments: attachments.map(encodedAttachment) };
}

const hello = runContent();

export function message(deliveryId: number, overrides: Partial<OutgoingMessage> = {}): OutgoingMessage {
  return {
    deliveryId,
    attempt: 1,
    address: `tenant${deliveryId}@example.com`,
    name: `Tenant ${deliveryId}`,
    content: hello,
    values: { first_name: "Ann" },
    links: {
      unsubscribe: `https://maple.example/u/T${deliveryId}`,
      preferences: `https://maple.example/p/T${deliveryId}`,
    },
    ...overrides,
  };
}

export type Sending = { begun: number[]; outcomes: Map<number, Outcome> };

/** Sends and resolves with all that was reported; a message reported twice is an error. */
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
