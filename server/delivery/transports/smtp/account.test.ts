import { describe, expect, test } from "vitest";
import { smtpAccount } from "./account.ts";

const from = "office@maple.example";

describe("smtpAccount", () => {
  test.each([
    [
      "smtp://mail.example.com",
      { host: "mail.example.com", port: 587, tls: "offered", verifyCertificate: true },
    ],
    ["smtps://mail.example.com", { port: 465, tls: "implicit" }],
    ["smtp://localhost:1025", { host: "localhost", port: 1025, tls: "offered", verifyCertificate: false }],
    ["smtp://[::1]:25", { host: "::1", port: 25, verifyCertificate: false }],
    ["smtp://bücher.example", { host: "xn--bcher-kva.example" }],
    ["smtp://ann:a%40b%25@mail.example.com", { tls: "required", login: { user: "ann", password: "a@b%" } }],
    ["smtp://ann:x@127.0.0.1", { tls: "offered", login: { user: "ann", password: "x" } }],
    ["smtp://ann:x@mail.example.com?tls=off", { tls: "off" }],
    ["smtp://mail.example.com/?tls=required", { tls: "required" }],
  ])("%s", (url, expected) => {
    expect(smtpAccount(url, { from })).toMatchObject(expected);
  });

  test.each([
    ["mail.example.com", "An SMTP address looks like smtp://"],
    ["http://mail.example.com", "An SMTP address looks like smtp://"],
    ["smtp://", "An SMTP address looks like smtp://"],
    ["smtp://mail.example.com?tls=maybe", "tls=maybe is neither required nor off"],
    ["smtp://ann@mail.example.com", "needs a user and a password"],
    ["smtp://:geheim@mail.example.com", "needs a user and a password"],
    ["smtp://ann:50%geheim@mail.example.com", "written as %25"],
  ])("%s is refused, without showing a password", (url, reason) => {
    expect(() => smtpAccount(url, { from })).toThrow(reason);
    expect(() => smtpAccount(url, { from })).not.toThrow("geheim");
  });

  test.each([
    ["office@maple.example", { name: "", address: "office@maple.example" }],
    ["Maple Court <office@maple.example>", { name: "Maple Court", address: "office@maple.example" }],
    [
      '"Court, Maple" <office@bücher.example>',
      { name: "Court, Maple", address: "office@xn--bcher-kva.example" },
    ],
  ])("sender %s", (sender, expected) => {
    expect(smtpAccount("smtp://localhost", { from: sender }).from).toEqual(expected);
  });

  test.each(["", "office", "Maple <office>", "a@b.example\r\nBcc: c@d.example", "ö@b.example"])(
    "sender %j is refused",
    (sender) => {
      expect(() => smtpAccount("smtp://localhost", { from: sender })).toThrow("is not a sender");
    },
  );

  test.each([0, 1.5, 101, Number.NaN])("%d connections are refused", (connections) => {
    expect(() => smtpAccount("smtp://localhost", { from, connections })).toThrow("must be 1 to 100");
  });
});
