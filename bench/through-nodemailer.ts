import nodemailer from "nodemailer";
import { compile } from "#server/delivery/content/compile.ts";
import { renderEmail } from "#server/delivery/content/render.ts";
import { content, person, sender } from "./message.ts";
import type { Task } from "./message.ts";

/** The usual way: a pool, and sendMail for each person, as many at a time as the pool accepts. */
export async function throughNodemailer({ port, messages, connections }: Task): Promise<{ seconds: number }> {
  const compiled = compile(
    { ...content, subject: "", answers: {}, channels: ["email"], attachments: [] },
    sender,
    { key: "bench", today: "" },
  );
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
      const { firstName, unit, address } = person(next);
      const links = {
        unsubscribe: `https://maple.example/u/${next}`,
        preferences: `https://maple.example/p/${next}`,
      };
      const mail = renderEmail(compiled, { first_name: firstName, property_unit: unit }, links);
      await pool.sendMail({
        from: { name: sender.siteName, address: "office@maple.example" },
        to: { name: firstName, address },
        headers: {
          "List-Unsubscribe": `<${links.unsubscribe}>`,
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
        ...mail,
      });
    }
  };
  // Twice as many as connections, so that none waits for the next message.
  await Promise.all(Array.from({ length: connections * 2 }, sendSome));
  const seconds = (performance.now() - started) / 1000;
  pool.close();
  return { seconds };
}
