import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import * as z from "zod";
import { line, requiredLine } from "#contract/fields.ts";
import { settingMeaning } from "../adapter.ts";
import { senderSettings } from "../email/sender-settings.ts";

/**
 * Concurrent connections. Throughput is their number divided by the time of a commit. Fewer are used if the server allows
 * no more.
 */
export const smtpConnections = { default: 20, max: 100 } as const;

const portSentence = "The port must be a whole number from 1 to 65535";
const BOUNCES = "Bounce mailbox";
const connectionsSentence = `The number of SMTP connections must be 1 to ${smtpConnections.max}`;

/** An SMTP server and our account on it. */
export const smtpSettings = z
  .object({
    host: requiredLine("Host", 253, "Host is required")
      .overwrite((host) => (isIP(host) ? host : domainToASCII(host)))
      .min(1, "This is not a host name")
      .register(settingMeaning, {
        label: "Host",
        hint: "From your mail provider, like smtp.example.com",
        leads: ["password"],
      }),
    port: z
      .int(portSentence)
      .min(1, portSentence)
      .max(65_535, portSentence)
      .default(587)
      .register(settingMeaning, { label: "Port", leads: ["password"] }),
    /**
     * `implicit`: TLS from the first byte. `required`: STARTTLS or nothing. `offered`: STARTTLS if the server supports
     * it.
     */
    tls: z
      .enum(["required", "implicit", "offered", "off"])
      .default("required")
      .register(settingMeaning, {
        label: "Encryption",
        leads: ["password"],
        choices: {
          required: "STARTTLS (port 587)",
          implicit: "TLS from the start (port 465)",
          offered: "STARTTLS if the server offers it",
          off: "None",
        },
      }),
    user: line("User", 320)
      .default("")
      .register(settingMeaning, { label: "User", hint: "Leave empty if the server needs no login" }),
    password: z
      .string()
      .max(1000, "Password must be at most 1,000 characters")
      .default("")
      .register(settingMeaning, { label: "Password", secret: true }),
    ...senderSettings,
    connections: z
      .int(connectionsSentence)
      .min(1, connectionsSentence)
      .max(smtpConnections.max, connectionsSentence)
      .default(smtpConnections.default)
      .register(settingMeaning, { label: "Connections", hint: "The most to open at once", advanced: true }),
    ehloName: line("EHLO name", 253)
      .default("")
      .overwrite((name) =>
        name === "" || /^\[[\da-f.:]+\]$/i.test(name) ? name : domainToASCII(name) || "?",
      )
      .refine(
        (name) => /^$|^[a-z\d](?:[a-z\d.-]*[a-z\d])?$|^\[[\da-f.:]+\]$/i.test(name),
        "This is not a host name",
      )
      .register(settingMeaning, {
        label: "EHLO name",
        hint: "How we introduce ourselves to the server. Leave empty for the host of your public address, or the sender's domain.",
        advanced: true,
      }),
    imapHost: line("IMAP host", 253)
      .default("")
      .overwrite((host) => (isIP(host) ? host : domainToASCII(host)))
      .register(settingMeaning, {
        label: "IMAP host",
        hint: "Where the From email gets its mail, like imap.example.com. Leave empty to read no bounces.",
        leads: ["imapPassword"],
        section: BOUNCES,
      }),
    imapPort: z
      .int(portSentence)
      .min(1, portSentence)
      .max(65_535, portSentence)
      .default(993)
      .register(settingMeaning, { label: "IMAP port", leads: ["imapPassword"], section: BOUNCES }),
    imapSecurity: z
      .enum(["implicit", "required", "off"])
      .default("implicit")
      .register(settingMeaning, {
        label: "IMAP encryption",
        leads: ["imapPassword"],
        section: BOUNCES,
        choices: {
          implicit: "TLS from the start (port 993)",
          required: "STARTTLS (port 143)",
          off: "None",
        },
      }),
    imapUser: line("IMAP user", 320)
      .default("")
      .register(settingMeaning, { label: "IMAP user", section: BOUNCES }),
    imapPassword: z
      .string()
      .max(1000, "IMAP password must be at most 1,000 characters")
      .default("")
      .register(settingMeaning, { label: "IMAP password", secret: true, section: BOUNCES }),
    imapMailbox: line("Mailbox", 200)
      .default("INBOX")
      .overwrite((name) => name || "INBOX")
      .register(settingMeaning, {
        label: "Mailbox",
        hint: "Bounces in it are marked as read. Nothing is deleted.",
        section: BOUNCES,
      }),
  })
  .refine(({ user, password }) => (user === "") === (password === ""), {
    path: ["password"],
    error: "An SMTP login needs a user and a password",
  })
  .refine(({ imapHost, imapUser }) => imapHost === "" || imapUser !== "", {
    path: ["imapUser"],
    error: "IMAP user is required",
  })
  .refine(({ imapHost, imapPassword }) => imapHost === "" || imapPassword !== "", {
    path: ["imapPassword"],
    error: "IMAP password is required",
  });

export type SmtpSettings = z.output<typeof smtpSettings>;
