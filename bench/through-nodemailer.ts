import { setTimeout as sleep } from "node:timers/promises";
import nodemailer from "nodemailer";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { renderEmail } from "#server/delivery/content/render.ts";
import { compiledEmail, content, person, sender } from "./message.ts";

export type Peer = { port: number; messages: number; connections: number; attachment?: Buffer | undefined };

/** The usual way, which records nothing: a pool, and sendMail for each person. Returns milliseconds. */
export async function throughPool({ port, messages, connections, attachment }: Peer): Promise<number> {
  const pool = nodemailer.createTransport({
    host: "127.0.0.1",
    port,
    pool: true,
    maxConnections: connections,
    maxMessages: Infinity,
  });
  const started = performance.now();
  let next = 0;
  const sendSome = async () => {
    while (next < messages) {
      next += 1;
      const { firstName, propertyUnit, email } = person(next);
      const links = {
        unsubscribe: `https://maple.example/u/${next}`,
        preferences: `https://maple.example/p/${next}`,
      };
      const mail = renderEmail(compiledEmail, { first_name: firstName, property_unit: propertyUnit }, links);
      await pool.sendMail({
        from: { name: sender.siteName, address: "office@maple.example" },
        to: { name: firstName, address: email },
        headers: {
          "List-Unsubscribe": `<${links.unsubscribe}>`,
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
        ...mail,
        ...(attachment && { attachments: [{ filename: "notice.pdf", content: attachment }] }),
      });
    }
  };
  // Twice as many as connections, so that none waits for the next message.
  await Promise.all(Array.from({ length: connections * 2 }, sendSome));
  const ms = performance.now() - started;
  pool.close();
  return ms;
}

/** The limit: nodemailer's bare connections, one prepared message, over and over. Returns milliseconds. */
export async function throughConnections({ port, messages, connections, attachment }: Peer): Promise<number> {
  const { text, html } = renderEmail(
    compiledEmail,
    { first_name: "Ann", property_unit: "Maple Court" },
    { unsubscribe: "https://maple.example/u/1", preferences: "https://maple.example/p/1" },
  );
  const encoded = attachment?.toString("base64").replace(/.{76}/g, "$&\r\n") ?? "";
  const message = Buffer.from(
    `From: office@maple.example\r\nSubject: ${content.title}\r\n\r\n${text}${html}${encoded}`,
  );
  let next = 0;
  const carry = async () => {
    const connection = new SMTPConnection({ host: "127.0.0.1", port, ignoreTLS: true });
    await new Promise<void>((resolve, reject) => {
      connection.connect((error) => (error ? reject(error) : resolve()));
    });
    while (next < messages) {
      next += 1;
      const envelope = { from: "office@maple.example", to: person(next).email };
      await new Promise<void>((resolve, reject) => {
        connection.send(envelope, message, (error) => (error ? reject(error) : resolve()));
      });
    }
    connection.quit();
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: connections }, carry));
  const ms = performance.now() - started;
  await sleep(50);
  return ms;
}
