import { describe, expect, test } from "vitest";
import { isLoopback } from "../loopback.ts";
import { smtpAccount, smtpSender, smtpServers } from "./environment.ts";

describe("a mail server from the environment", () => {
  test.each([
    ["smtp://mail.example.com", { host: "mail.example.com", port: 587, tls: "offered", weight: 1 }],
    ["smtps://mail.example.com", { port: 465, tls: "implicit" }],
    ["smtp://localhost:1025", { host: "localhost", port: 1025, tls: "offered" }],
    ["smtp://[::1]:25", { host: "::1", port: 25 }],
    ["smtp://bücher.example", { host: "xn--bcher-kva.example" }],
    ["smtp://ann:a%40b%25@mail.example.com", { tls: "required", user: "ann", password: "a@b%" }],
    ["smtp://ann:x@127.0.0.1", { tls: "offered", user: "ann", password: "x" }],
    ["smtp://ann:x@mail.example.com?tls=off", { tls: "off" }],
    ["smtp://mail.example.com/?tls=required", { tls: "required" }],
    ["smtp://mail.example.com?tls=off&weight=0", { tls: "off", weight: 0 }],
    ["smtp://mail.example.com?weight=100", { weight: 100 }],
  ])("%s", (url, expected) => {
    expect(smtpServers(url)).toEqual([expect.objectContaining(expected)]);
  });

  test("has its own name and key, which stay the same when its port or password changes", () => {
    const keys = (urls: string) =>
      smtpServers(urls).map((server) => {
        const { name, key } = smtpAccount(server, { from: "office@maple.example" });
        return [name, key];
      });
    expect(keys("smtp://mail.example.com smtp://ann:x@a.example\nsmtp://bob:x@a.example")).toEqual([
      ["mail.example.com", "smtp mail.example.com"],
      ["ann at a.example", "smtp ann@a.example"],
      ["bob at a.example", "smtp bob@a.example"],
    ]);
    expect(keys("smtps://ann:y@a.example:4465")).toEqual([["a.example", "smtp ann@a.example"]]);
  });

  test.each([
    ["mail.example.com", "An SMTP address looks like smtp://"],
    ["http://mail.example.com", "An SMTP address looks like smtp://"],
    ["smtp://", "An SMTP address looks like smtp://"],
    ["smtp://mail.example.com?tls=maybe", "tls=maybe is not valid. Use required or off"],
    ["smtp://ann@mail.example.com", "needs a user and a password"],
    ["smtp://:geheim@mail.example.com", "needs a user and a password"],
    ["smtp://ann:50%geheim@mail.example.com", "as %25"],
    ["smtp://mail.example.com?weight=101", "weight=101 is not a whole number from 0 to 100"],
    ["smtp://mail.example.com?weight=-1", "weight=-1 is not"],
    ["smtp://ann:x@a.example smtps://ann:geheim@a.example", "ann at a.example is listed twice"],
    ["smtp://a.example,smtp://ann:geheim@b.example", "An SMTP address looks like smtp://"],
  ])("%s is refused, without showing a password", (url, reason) => {
    expect(() => smtpServers(url)).toThrow(reason);
    expect(() => smtpServers(url)).not.toThrow("geheim");
  });

  test("must have a valid certificate unless it is on this computer", () => {
    expect(["::1", "127.0.0.1", "mail.localhost", "localhost"].every(isLoopback)).toBe(true);
    expect(["mail.example.com", "127.0.0.1.example.com", "localhost.example.com"].some(isLoopback)).toBe(
      false,
    );
  });

  test.each([
    ["office@maple.example", { fromName: "", fromEmail: "office@maple.example" }],
    ["Maple Court <office@maple.example>", { fromName: "Maple Court", fromEmail: "office@maple.example" }],
    [
      '"Court, Maple" <office@bücher.example>',
      { fromName: "Court, Maple", fromEmail: "office@xn--bcher-kva.example" },
    ],
  ])("sender %s", (sender, expected) => {
    expect(smtpSender(sender)).toEqual(expected);
  });

  test.each(["", "office", "Maple <office>", "a@b.example\r\nBcc: c@d.example", "ö@b.example"])(
    "sender %j is refused",
    (sender) => {
      expect(() => smtpSender(sender)).toThrow("is not a sender");
    },
  );

  test.each([0, 1.5, 101, Number.NaN])("%d connections are refused", (connections) => {
    const [server] = smtpServers("smtp://localhost");
    expect(() => smtpAccount(server!, { from: "office@maple.example", connections })).toThrow(
      "must be 1 to 100",
    );
  });
});
