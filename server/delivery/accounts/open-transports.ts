import { ZodError } from "zod";
import type { Channel } from "#contract/delivery.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { type SecretBox, UnreadableSecretError } from "#server/db/secret-box.ts";
import { openSecrets } from "./account-secrets.ts";
import type { Account, EnvironmentAccount } from "./accounts.ts";
import type { Tracker } from "../receipts/tracking-address.ts";
import type { TransportAdapter } from "../transports/adapter.ts";
import { isLoopback, publicHostName } from "../transports/loopback.ts";
import { NetworkGuard } from "../transports/network-guard.ts";
import type { PushRecipients } from "../transports/push/recipients.ts";
import type { Failure, Recovery, Transport } from "../transports/transport.ts";

type Stored = Pick<
  Account,
  "id" | "kind" | "channel" | "environmentKey" | "settings" | "secrets" | "webhookKey"
>;

/** This process's transports, each opened when its account is first needed. */
export type Transports = {
  /** Null when this process was not given that account's settings. One whose settings have changed is opened again. */
  of(account: Stored): Transport | null;
  /**
   * Opens the account anew when it is next needed, if this is its transport. Nothing waits for what that one still does.
   */
  replace(account: Pick<Account, "id">, transport: Transport): boolean;
  /** One that is not kept, with settings that nothing stores yet. Close it. Throws ZodError. */
  draft(kind: string, channel: Channel, settings: Record<string, unknown>): Transport | null;
  recoveryOf(account: Pick<Account, "kind">): Recovery;
  /**
   * How an account's provider reports back, with the account's settings. Null where it does not, or where this process
   * lacks the settings or cannot read them.
   */
  webhookOf(account: Stored): {
    webhook: NonNullable<TransportAdapter["webhook"]>;
    settings: Record<string, unknown>;
    apiUrl: string;
  } | null;
  acceptsAtOnce(account: Pick<Account, "kind">): TransportAdapter["acceptsAtOnce"];
  /** Whether its provider's API is at an address of this computer, as an emulator's is. */
  isEmulated(kind: string): boolean;
  /** Whether a browser's messages can go to this address. */
  isBrowserEndpoint(endpoint: string): boolean;
  close(): Promise<void>;
};

type OpenOptions = {
  /** Opens the secrets of accounts that were set up in the console; without it none of those can be used. */
  secrets?: SecretBox;
  /** Of providers whose API is not at its usual address, by the adapter's variable. */
  apiUrls?: Readonly<Record<string, string>>;
  /** Private addresses and networks that a host which someone typed may lead to. */
  privateAddresses?: readonly string[];
  /** Without it an account that has to look people up sends nothing. */
  recipients?: PushRecipients;
  /** Where providers reach this server. Without it, messages name no webhook. */
  publicUrl?: URL;
  /** Without it no email is tracked by us. */
  tracker?: Tracker | undefined;
};

/** `environment`: the accounts that this process was started with. Their adapters need not be among `adapters`. */
export function openTransports(
  environment: readonly EnvironmentAccount[],
  adapters: readonly TransportAdapter[],
  { secrets, apiUrls = {}, privateAddresses, recipients, publicUrl, tracker }: OpenOptions = {},
): Transports {
  const guard = new NetworkGuard(privateAddresses);
  const opened = new Map<number, { transport: Transport; settings: string }>();
  const closing = new Set<Promise<void>>();
  const known = [...environment.map(({ adapter }) => adapter), ...adapters];
  const adapterOf = (kind: string) => known.find((adapter) => adapter.kind === kind);
  const apiUrlOf = ({ api }: TransportAdapter) => (api ? (apiUrls[api.variable] ?? api.url) : "");
  const hostName = publicUrl && publicHostName(publicUrl);
  const draft: Transports["draft"] = (kind, channel, settings) => {
    const adapter = adapterOf(kind);
    return (
      adapter?.open(settings, { channel, apiUrl: apiUrlOf(adapter), guard, recipients, hostName }) ?? null
    );
  };
  const ofEnvironment = ({ environmentKey }: Stored) => environment.find(({ key }) => key === environmentKey);
  /** @throws {UnreadableSecretError} */
  const settingsOf = ({ id, settings, secrets: sealed }: Stored) => {
    if (!secrets && Object.keys(sealed).length > 0) throw new UnreadableSecretError("There is no key here");
    return { ...settings, ...(secrets && openSecrets(secrets, id, sealed)) };
  };
  const open = (account: Stored) => {
    const { channel, environmentKey } = account;
    const addresses = (adapter: TransportAdapter) => {
      const apiUrl = apiUrlOf(adapter);
      return {
        apiUrl,
        hostName,
        webhookUrl: publicUrl && reaches(apiUrl, publicUrl) ? webhookUrlOf(account, publicUrl) : undefined,
      };
    };
    if (environmentKey !== null) {
      const given = ofEnvironment(account);
      return (
        given?.adapter.open(given.settings, { channel, guard: null, tracker, ...addresses(given.adapter) }) ??
        null
      );
    }
    try {
      const adapter = adapterOf(account.kind);
      const settings = settingsOf(account);
      return adapter?.open(settings, { channel, guard, recipients, tracker, ...addresses(adapter) }) ?? null;
    } catch (error) {
      if (error instanceof UnreadableSecretError) return unopenable(UNREADABLE);
      if (!(error instanceof ZodError)) throw error;
      return unopenable(`The settings are incomplete: ${error.issues[0]?.message}.`);
    }
  };
  /** Finishes what it has begun; the rest goes back to the queue. */
  const retire = (transport: Transport) => {
    const closed = transport.close().finally(() => closing.delete(closed));
    closing.add(closed);
  };
  return {
    of(account) {
      // The environment's are as this process was started with them, whatever another one has written down.
      const settings =
        account.environmentKey === null ? JSON.stringify([account.settings, account.secrets]) : "";
      const before = opened.get(account.id);
      if (before?.settings === settings) return before.transport;
      const transport = open(account);
      if (!transport) return null;
      opened.set(account.id, { transport, settings });
      if (before) retire(before.transport);
      return transport;
    },
    replace({ id }, transport) {
      if (opened.get(id)?.transport !== transport) return false;
      opened.delete(id);
      void transport.close();
      return true;
    },
    draft,
    webhookOf(account) {
      const given = ofEnvironment(account);
      const adapter = given?.adapter ?? adapterOf(account.kind);
      const webhook = adapter?.webhook;
      if (!webhook || (account.environmentKey !== null && !given)) return null;
      try {
        return { webhook, settings: given?.settings ?? settingsOf(account), apiUrl: apiUrlOf(adapter) };
      } catch (error) {
        if (error instanceof UnreadableSecretError) return null;
        throw error;
      }
    },
    recoveryOf: ({ kind }) => adapterOf(kind)?.recovery ?? "blind",
    acceptsAtOnce: ({ kind }) => adapterOf(kind)?.acceptsAtOnce,
    isEmulated(kind) {
      const adapter = adapterOf(kind);
      const apiUrl = adapter ? apiUrlOf(adapter) : "";
      return apiUrl !== "" && isLoopback(new URL(apiUrl).hostname);
    },
    isBrowserEndpoint: (endpoint) => known.some((one) => one.isBrowserEndpoint?.(endpoint, apiUrlOf(one))),
    async close() {
      for (const { transport } of opened.values()) retire(transport);
      await Promise.all(closing);
    },
  };
}

/** An address of this computer is only good for a provider that is emulated on it. */
function reaches(apiUrl: string, publicUrl: URL): boolean {
  return !isLoopback(publicUrl.hostname) || (apiUrl !== "" && isLoopback(new URL(apiUrl).hostname));
}

/** What a provider is told to report to. */
export function webhookUrlOf({ webhookKey }: Pick<Account, "webhookKey">, publicUrl: URL): string {
  return new URL(`/webhooks/${webhookKey}`, publicUrl).href;
}

/** @throws {AppError} unavailable, where this process lacks the account */
export function transportOf(transports: Transports, account: Stored & Pick<Account, "name">): Transport {
  const transport = transports.of(account);
  if (transport) return transport;
  throw refusal("account-not-here", { name: account.name });
}

const UNREADABLE =
  "This server can't read the saved password or key. Give it the PORCHLIGHT_SECRET_KEY or secret.key that it was " +
  "saved with, or enter the password or key again.";

/** Stands for an account that is not usable as it is stored: it pauses, and says why. */
function unopenable(detail: string): Transport {
  const failure: Failure = { kind: "misconfigured", code: "unopenable", detail };
  return {
    concurrency: 1,
    timeoutMs: () => 1000,
    async send([first, ...others], progress) {
      if (first) await progress.settled(first, failure);
      for (const message of others) progress.left?.(message, failure);
    },
    check: () => Promise.resolve({ ok: false, of: "misconfigured", code: failure.code, detail }),
    close: () => Promise.resolve(),
  };
}
