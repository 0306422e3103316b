import { directionOf } from "#contract/text/isolate.ts";
import { lineHtml, messageHtml, type MessageStyle } from "./message-html.ts";
import { joined, type Template } from "./compiled.ts";
import { escapeHtml, htmlText } from "./writing.ts";

/** Where the image of this hash is, without the site's address. */
export const logoPath = (hash: string) => `/logo/${hash}`;

type EmailShell = {
  siteName: string;
  /** The hash of its image. */
  logo?: string | undefined;
  /** The subject, shown above the message. Like everything in the email, a plain template. */
  heading: Template;
  message: Template;
  messageHtml: (style: MessageStyle) => Template;
  /** What the button is called that a one-time link becomes in a paragraph of its own. */
  button?: string | undefined;
  signature: Template;
  attachmentNote: string;
  because: Template;
  /** With the links to the recipient's preferences. */
  links: boolean;
  /** Where the organization is, on one line; may be empty. */
  postal: string;
  /** The organization's own footer, from the settings; may be empty. */
  footer: Template;
};

// The console's palette (tokens.css). Mail readers support no variables and often no style sheets, so every element has
// its light colors inline. The dark colors and the phone's layout come from one sheet that readers may ignore.
const FONT = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const WRAP = "overflow-wrap:anywhere;word-break:break-word";
const INK = "color:#1d1a16";
const QUIET = "color:#5d574e";
const TEXT = `margin:0 0 16px;${FONT};font-size:16px;line-height:26px;${WRAP};${INK}`;
const SMALL = `margin:0 0 6px;${FONT};font-size:13px;line-height:20px;${WRAP};${QUIET}`;

const STYLE: MessageStyle = {
  paragraph: TEXT,
  link: "color:#2762cc;text-decoration:underline;word-break:break-word",
  details: {
    table:
      "width:100%;margin:8px 0 24px;border-collapse:separate;border-spacing:0;background:#f3f0ea;border-radius:8px",
    label: `padding:13px 12px 13px 18px;width:112px;text-align:start;vertical-align:top;font-weight:400;${FONT};font-size:14px;line-height:24px;${WRAP};${QUIET}`,
    value: `padding:13px 18px 13px 0;text-align:start;vertical-align:top;font-weight:600;${FONT};font-size:16px;line-height:24px;${WRAP};${INK}`,
    wide: `padding:13px 18px;text-align:start;font-weight:600;${FONT};font-size:16px;line-height:24px;${WRAP};${INK}`,
    line: "border-top:1px solid #e4dfd5",
  },
};
const QUIET_STYLE = { paragraph: SMALL, link: `${QUIET};text-decoration:underline` };

const dark: readonly (readonly [string, string])[] = [
  [".page", "background:#141210!important"],
  [".card", "background:#1b1916!important;border-color:#2c2924!important"],
  [".rule", "border-color:#2c2924!important"],
  [".card p,.card h1,.card ul,.card ol,.card td", "color:#f4f0e9!important"],
  [".card a", "color:#8db4ff!important"],
  [".card .details", "background:#26221e!important"],
  [".card .details th", "color:#b5ada0!important"],
  [".card .details .line th,.card .details .line td", "border-color:#38332c!important"],
  [".card .button", "background:#f4f0e9!important"],
  [".card .button a", "color:#1d1a16!important"],
  [".card .note", "background:#26221e!important;color:#b5ada0!important"],
  [".foot p,.foot a", "color:#b5ada0!important"],
];
/** Outlook's readers don't know the query, but mark what they darken. */
const outlookDark = dark.map(([selectors, style]) => {
  const marked = selectors.split(",").map((selector) => `[data-ogsc] ${selector}`);
  return `${marked.join(",")}{${style}}`;
});

const PHONE = `.pad{padding-left:20px!important;padding-right:20px!important}
.head{padding-top:20px!important}
.card h1{font-size:21px!important;line-height:28px!important}
.details th,.details td{display:block!important;width:auto!important}
.details th{padding:12px 16px 0!important}
.details td{padding:0 16px 12px!important}
.details td.wide{padding-top:12px!important}
.details .line td{border-top:0!important}
.button,.button a{display:block!important;text-align:center!important}
.buttons{width:100%!important}`;

const HEAD = `<!doctype html>
<html lang="en" xmlns:o="urn:schemas-microsoft-com:office:office"><head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<!--[if mso]><xml><o:OfficeDocumentSettings><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml><![endif]-->
<style>
:root{color-scheme:light dark}
@media (prefers-color-scheme:dark){
${dark.map(([selectors, style]) => `${selectors}{${style}}`).join("\n")}
}
${outlookDark.join("\n")}
@media (max-width:560px){
${PHONE}
}
</style>
<title>`;

const TABLE = 'role="presentation" cellpadding="0" cellspacing="0" border="0"';

/**
 * The image stays on the server, where its address never changes: two megabytes in each email would be too many. It
 * keeps white behind it, because a dark logo on nothing would vanish on a dark card.
 */
function letterhead(siteName: string, logo: string | undefined): Template {
  const image =
    'height="40" style="display:block;height:40px;max-width:180px;border:0;border-radius:8px;background:#ffffff"';
  const cell = `<td style="padding:0 0 16px;width:1%"><img src="`;
  return [
    `<table ${TABLE} width="100%" dir="${directionOf(siteName) ?? "ltr"}"><tr>`,
    ...(logo === undefined
      ? []
      : ([
          cell,
          { field: "@site", as: "html-line" },
          `${logoPath(logo)}" alt="" ${image}></td><td style="width:12px">&nbsp;</td>`,
        ] as const)),
    `<td style="padding:0 0 16px"><p class="name" dir="auto" style="margin:0;${FONT};font-size:16px;line-height:22px;font-weight:600;${WRAP};${INK}">${escapeHtml(siteName)}</p></td>`,
    `</tr></table>\n<div class="rule" style="border-top:1px solid #e8e3da;margin:0 0 24px"></div>\n`,
  ];
}

/** For the title, which can't have any. */
const withoutTags = (line: Template): Template =>
  line.map((piece) =>
    typeof piece === "string" ? piece.replaceAll(/<\/?bdi>/g, "") : { ...piece, bare: true },
  );

const preferences: Template = [
  `<p style="${SMALL}"><a href="`,
  { field: "@preferences", as: "html-line" },
  `" style="${QUIET_STYLE.link}">Change what you get</a> &nbsp;·&nbsp; <a href="`,
  { field: "@unsubscribe", as: "html-line" },
  `" style="${QUIET_STYLE.link}">Unsubscribe</a></p>\n`,
];

/**
 * The HTML of an email: one 600 px column in nested tables, which Outlook's renderer needs, with every style inline,
 * which Gmail needs. `dir="auto"` lets each paragraph find its direction. The console finds a notice's message by the
 * class `message`.
 */
export function emailShell(shell: EmailShell): Template {
  const style: MessageStyle = {
    ...STYLE,
    ...(shell.button !== undefined && {
      button: {
        label: shell.button,
        table: `<table ${TABLE} class="buttons" style="margin:8px 0 24px"><tr><td class="button" style="background:#1d1a16;border-radius:8px">`,
        link: `display:inline-block;padding:13px 24px;${FONT};font-size:16px;line-height:22px;font-weight:600;color:#ffffff;text-decoration:none`,
      },
    }),
  };
  return joined([
    HEAD,
    ...withoutTags(lineHtml(shell.heading, 150)),
    `</title></head>
<body class="page" style="margin:0;padding:0;background:#faf8f4;-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">`,
    ...lineHtml(shell.message, 140),
    `</div>
<table ${TABLE} width="100%" class="page" style="background:#faf8f4"><tr><td align="center" style="padding:24px 12px">
<!--[if mso]><table ${TABLE} width="600"><tr><td><![endif]-->
<table ${TABLE} width="100%" style="max-width:600px">
<tr><td class="card pad head" style="padding:32px 40px 16px;background:#ffffff;border:1px solid #e8e3da;border-radius:12px">
`,
    ...letterhead(shell.siteName, shell.logo),
    `<h1 dir="auto" style="margin:0 0 16px;${FONT};font-size:26px;line-height:34px;font-weight:700;letter-spacing:-0.3px;${WRAP};${INK}">`,
    ...lineHtml(shell.heading),
    `</h1>\n<div class="message">`,
    ...shell.messageHtml(style),
    ...messageHtml(shell.signature, style),
    "</div>",
    shell.attachmentNote === ""
      ? ""
      : `<p class="note" dir="auto" style="${SMALL};padding:10px 14px;background:#f3f0ea;border-radius:8px">` +
        `${escapeHtml(shell.attachmentNote)}</p>`,
    `
</td></tr>
<tr><td class="foot pad" style="padding:20px 40px 0">
<p dir="auto" style="${SMALL}">`,
    ...shell.because.map((piece) =>
      typeof piece === "string" ? htmlText(piece) : { ...piece, as: "html" as const },
    ),
    "</p>\n",
    ...(shell.links ? preferences : []),
    shell.postal === "" ? "" : `<p dir="auto" style="${SMALL}">${htmlText(shell.postal)}</p>\n`,
    ...messageHtml(shell.footer, QUIET_STYLE),
    `
</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body></html>
`,
  ]);
}
