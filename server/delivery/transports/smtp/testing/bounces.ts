/** Delivery status notifications (RFC 3464) in the formats of well-known servers. */

type About = {
  /** Without angle brackets. */
  messageId: string;
  /** The ENVID that its server was given (RFC 3461), if any. */
  envelopeId?: string;
  /** The recipient. */
  to?: string;
};

type Parts = {
  from: string;
  subject: string;
  /** Additional headers. */
  headers?: string[];
  /** The human-readable part, with its own headers. */
  explanation: string;
  /** Groups of fields, separated by blank lines. */
  status: string;
  returned: { type: string; text: string };
};

function notification({ from, subject, headers = [], explanation, status, returned }: Parts): string {
  const boundary = "=_report.1796054400";
  return lines([
    "Return-Path: <>",
    "Received: from mx.maple.example by imap.maple.example; Wed, 25 Nov 2026 14:00:05 +0000",
    "Date: Wed, 25 Nov 2026 14:00:04 +0000",
    `From: ${from}`,
    "To: office@maple.example",
    `Subject: ${subject}`,
    ...headers,
    "MIME-Version: 1.0",
    "Content-Type: multipart/report; report-type=delivery-status;",
    `\tboundary="${boundary}"`,
    "",
    "A report in three parts.",
    "",
    `--${boundary}`,
    explanation,
    "",
    `--${boundary}`,
    "Content-Description: Delivery report",
    "Content-Type: message/delivery-status",
    "",
    status,
    "",
    `--${boundary}`,
    `Content-Type: ${returned.type}`,
    "",
    returned.text,
    "",
    `--${boundary}--`,
    "",
  ]);
}

const lines = (all: readonly string[]) => all.join("\n").replace(/\r?\n/g, "\r\n");

const plain = (text: string) => `Content-Type: text/plain; charset=us-ascii\n\n${text}`;

/** The headers of the returned message. */
function ours({ messageId, to = "ann@example.com" }: About): string {
  return [
    "Return-Path: <office@maple.example>",
    "Received: from porchlight by mx.maple.example (Postfix) with ESMTP id 4F2A17E0C1",
    "Date: Wed, 25 Nov 2026 14:00:00 +0000",
    "From: Maple Court <office@maple.example>",
    `To: ${to}`,
    "Subject: Water off",
    `Message-ID: <${messageId}>`,
  ].join("\n");
}

export function postfix(about: About, { status = "5.1.1", answer = NO_SUCH_USER } = {}): string {
  const { to = "ann@example.com", envelopeId } = about;
  return notification({
    from: "MAILER-DAEMON@mx.maple.example (Mail Delivery System)",
    subject: "Undelivered Mail Returned to Sender",
    headers: ["Auto-Submitted: auto-replied", "Message-Id: <20261125140004.4F2A17E0C2@mx.maple.example>"],
    explanation: `Content-Description: Notification\n${plain(`The mail to ${to} was not delivered.`)}`,
    status: [
      "Reporting-MTA: dns; mx.maple.example",
      ...(envelopeId === undefined ? [] : [`Original-Envelope-Id: ${envelopeId}`]),
      "X-Postfix-Queue-ID: 4F2A17E0C1",
      "X-Postfix-Sender: rfc822; office@maple.example",
      "Arrival-Date: Wed, 25 Nov 2026 14:00:00 +0000 (UTC)",
      "",
      `Final-Recipient: rfc822; ${to}`,
      `Original-Recipient: rfc822;${to}`,
      "Action: failed",
      `Status: ${status}`,
      "Remote-MTA: dns; mx.example.com",
      `Diagnostic-Code: smtp; ${answer}`,
    ].join("\n"),
    returned: { type: "text/rfc822-headers", text: ours(about) },
  });
}

const NO_SUCH_USER =
  "550 5.1.1 <ann@example.com>: Recipient address rejected: User\n    unknown in local recipient table";

/** A delay: not delivered yet, still being retried. */
export function postfixDelayed(about: About): string {
  const { to = "ann@example.com" } = about;
  return notification({
    from: "MAILER-DAEMON@mx.maple.example (Mail Delivery System)",
    subject: "Delayed Mail (still being retried)",
    headers: ["Auto-Submitted: auto-replied"],
    explanation: plain("It is still being tried."),
    status: [
      "Reporting-MTA: dns; mx.maple.example",
      "X-Postfix-Queue-ID: 4F2A17E0C1",
      "Arrival-Date: Wed, 25 Nov 2026 14:00:00 +0000 (UTC)",
      "",
      `Final-Recipient: rfc822; ${to}`,
      `Original-Recipient: rfc822;${to}`,
      "Action: delayed",
      "Status: 4.4.1",
      "Diagnostic-Code: X-Postfix; connect to mx.example.com[192.0.2.7]:25: Connection timed out",
      "Will-Retry-Until: Mon, 30 Nov 2026 14:00:00 +0000 (UTC)",
    ].join("\n"),
    returned: { type: "text/rfc822-headers", text: ours(about) },
  });
}

export function exchange(about: About): string {
  return notification({
    from: "Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@maple.example>",
    subject: "Undeliverable: Water off",
    headers: [
      "Auto-Submitted: auto-generated",
      "X-MS-Exchange-Message-Is-Ndr:",
      "In-Reply-To:",
      ` <${about.messageId}>`,
    ],
    explanation: [
      'Content-Type: multipart/alternative; differences=Content-Type;\n\tboundary="inner"\n',
      `--inner\n${plain("ann wasn't found at example.com.")}\n`,
      '--inner\nContent-Type: text/html; charset="us-ascii"\nContent-Transfer-Encoding: quoted-printable\n',
      "<p>ann wasn't found at example.com.</p>\n",
      "--inner--",
    ].join("\n"),
    status: [
      "Reporting-MTA: dns;AM0PR01MB0001.eurprd01.prod.exchangelabs.com",
      "Received-From-MTA: dns;mx.maple.example",
      "Arrival-Date: Wed, 25 Nov 2026 14:00:01 +0000",
      "",
      "Final-Recipient: rfc822;ann@example.com",
      "Action: failed",
      "Status: 5.1.10",
      "Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ann@example.com not found by SMTP address lookup",
    ].join("\n"),
    returned: { type: "message/rfc822", text: `${ours(about)}\nContent-Type: text/plain\n\nHello Ann` },
  });
}

export function gmail(about: About): string {
  return notification({
    from: "Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
    subject: "Delivery Status Notification (Failure)",
    headers: ["Auto-Submitted: auto-replied", "X-Failed-Recipients: ann@example.com"],
    explanation: [
      'Content-Type: multipart/related; boundary="related"\n',
      `--related\n${plain("ann@example.com was not found.")}\n`,
      '--related\nContent-Type: image/png; name="icon.png"\nContent-Transfer-Encoding: base64\nContent-ID: <icon.png>\n',
      "iVBORw0KGgo=\n",
      "--related--",
    ].join("\n"),
    status: [
      "Reporting-MTA: dns; googlemail.com",
      "Received-From-MTA: dns; office@maple.example",
      "Arrival-Date: Wed, 25 Nov 2026 06:00:00 -0800 (PST)",
      `X-Original-Message-ID: <${about.messageId}>`,
      "",
      "Final-Recipient: rfc822; ann@example.com",
      "Action: failed",
      "Status: 5.1.1",
      "Remote-MTA: dns; mx.example.com. (192.0.2.7, the server for the domain example.com.)",
      "Diagnostic-Code: smtp; 550-5.1.1 There is no account of that name here. Check",
      " 550 5.1.1 the address for typos.",
      "Last-Attempt-Date: Wed, 25 Nov 2026 06:00:04 -0800 (PST)",
    ].join("\n"),
    returned: { type: "message/rfc822", text: `${ours(about)}\n\nHello Ann` },
  });
}

/** Exim's status is always 5.0.0; the remote server's reply says more. */
export function exim(about: About, answer = "550 5.1.1 unknown user"): string {
  const { to = "ann@example.com" } = about;
  return notification({
    from: "Mail Delivery System <Mailer-Daemon@mx.maple.example>",
    subject: "Mail delivery failed: returning message to sender",
    headers: ["Auto-Submitted: auto-replied", "X-Failed-Recipients: ann@example.com"],
    explanation: plain("The mail to ann@example.com was not delivered."),
    status: [
      "Reporting-MTA: dns; mx.maple.example",
      "",
      "Action: failed",
      `Final-Recipient: rfc822;${to}`,
      "Status: 5.0.0",
      "Remote-MTA: dns; mx.example.com",
      `Diagnostic-Code: smtp; ${answer}`,
    ].join("\n"),
    returned: { type: "message/rfc822", text: `${ours(about)}\n\nHello Ann` },
  });
}

/** A vacation reply. */
export function autoReply({ messageId }: About): string {
  return lines([
    "From: ann@example.com",
    "To: office@maple.example",
    "Subject: Out of office: Water off",
    "Auto-Submitted: auto-replied",
    `In-Reply-To: <${messageId}>`,
    `References: <${messageId}>`,
    "Content-Type: text/plain",
    "",
    "I'm away until Monday.",
    "",
  ]);
}
