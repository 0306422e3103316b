import { expect, test } from "vitest";
import { isDeadMailbox } from "./dead-mailbox.ts";

const dead: [enhanced: string, text: string][] = [
  [
    "5.1.1",
    "The email account that you tried to reach does not exist. https://support.google.com/mail/?p=NoSuchUser",
  ],
  ["5.1.1", "<ann@example.com>: Recipient address rejected: User unknown in relay recipient table"],
  ["5.1.1", ""],
  ["5.1.10", "RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup"],
  [
    "5.4.1",
    "Recipient address rejected: Access denied. [DB5EUR03FT032.eop-EUR03.prod.protection.outlook.com 2026-11-26T10:00:00.000Z]",
  ],
  ["5.5.0", "Requested action not taken: mailbox unavailable (S2017062302)."],
  ["", "Requested action not taken: mailbox unavailable; user not found"],
  [
    "5.0.0",
    "Message was not accepted -- invalid mailbox. Local mailbox ann@example.com is unavailable: user not found",
  ],
  ["", "delivery error: dd This user doesn’t have a yahoo.com account (ann@yahoo.com) [0]"],
  ["", "Sorry, no mailbox here by that name. (#5.1.1)"],
  ["", "Unrouteable address: Unknown local part ann in <ann@example.com>"],
  ["5.7.1", "<spam-trap@example.com>... No such user"],
  ["5.0.0", "Mailbox not found. http://service.mail.qq.com/cgi-bin/help?subtype=1"],
  ["", "User not found: ann@163.com"],
  ["", "Adresse d au moins un destinataire invalide. Invalid recipient. OFR_416 [416]"],
  ["", "Boîte aux lettres inexistante"],
  ["", "Unbekannter Empfänger"],
  ["", "Postfach existiert nicht"],
  ["", "El buzón no existe"],
  ["5.0.0", "Usuário não encontrado"],
  ["", "Casella inesistente"],
  ["", "Nieznany użytkownik"],
  ["", "Użytkownik nie istnieje: ŁUKASZ"],
  ["", "Gebruiker onbekend"],
  ["", "Kullanıcı bulunamadı"],
  ["", "Пользователь не найден"],
  ["", "用户不存在"],
  ["", "ユーザーが存在しません"],
];

test.each(dead)("%j %j: there is no such mailbox", (enhanced, text) => {
  expect(isDeadMailbox(enhanced, text)).toBe(true);
});

const alive: [enhanced: string, text: string][] = [
  ["", ""],
  ["", "Rejected"],
  ["5.0.0", "Requested action not taken: mailbox unavailable"],
  ["5.2.1", "The email account that you tried to reach is disabled."],
  ["5.2.2", "Mailbox full: user over quota"],
  ["5.2.2", "The recipient's inbox is out of storage space"],
  ["5.4.1", "No answer from host"],
  ["5.4.1", "Relay access denied"],
  ["5.7.1", "Recipient address rejected: Access denied"],
  ["5.7.1", "Service unavailable; client host [192.0.2.1] blocked using zen.spamhaus.org"],
  ["5.7.1", "Unable to relay for ann@example.com"],
  ["5.1.1", "Access denied, banned sending IP [192.0.2.1]"],
  ["5.1.0", "Sender rejected: invalid sender domain"],
  ["5.1.1", "Rejected for policy reasons"],
  ["5.1.1", "User unknown. Your IP is on our blacklist"],
  ["", "Message rejected as spam: no such user pattern"],
  ["5.1.8", "Sender address rejected: Domain not found"],
  ["5.7.26", "Unauthenticated email from maple.example is not accepted due to domain's DMARC policy"],
  ["4.1.1", "User unknown, try again later"],
  ["", "user-unknown@example.com is fine, but not today"],
];

test.each(alive)("%j %j: blocks no one", (enhanced, text) => {
  expect(isDeadMailbox(enhanced, text)).toBe(false);
});

test("a megabyte of words is read no further than its beginning", () => {
  expect(isDeadMailbox("", `${"x@".repeat(500_000)} user unknown`)).toBe(false);
});
