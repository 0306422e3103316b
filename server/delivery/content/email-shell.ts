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
  signature: Template;
  /** The organization's own footer, from the settings; may be empty. */
  footer: Template;
  because: string;
  attachmentNote: string;
};

// The console's palette (tokens.css). Mail readers support no variables and often no style sheets, so every element has
// its light colors inline. The dark colors come from one sheet that readers may ignore.
const FONT = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const TEXT = `margin:0 0 16px;${FONT};font-size:16px;line-height:1.6;overflow-wrap:anywhere;word-break:break-word;color:#1d1a16`;
const SMALL = `margin:0 0 8px;${FONT};font-size:13px;line-height:1.5;overflow-wrap:anywhere;word-break:break-word;color:#5d574e`;
const LINK = "color:#2762cc;text-decoration:underline;word-break:break-word";
const QUIET_LINK = "color:#5d574e;text-decoration:underline";

const DARK = `@media (prefers-color-scheme:dark){
.page{background:#141210!important}
.card{background:#1b1916!important;border-color:#2c2924!important}
.card p,.card h1,.card ul,.card ol{color:#f4f0e9!important}
.card a{color:#8db4ff!important}
.card .note{background:#221f1b!important;color:#b5ada0!important}
.name,.foot p,.foot a{color:#b5ada0!important}
}`;

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
${DARK}
@media (max-width:620px){.pad{padding-left:20px!important;padding-right:20px!important}}
</style>
<title>`;

const TABLE = 'role="presentation" cellpadding="0" cellspacing="0" border="0"';

/** The image stays on the server, where its address never changes: two megabytes in each email would be too many. */
function letterhead(logo: string | undefined): Template {
  if (logo === undefined) return [];
  const size = 'height="48" style="display:block;height:48px;max-width:240px;margin:0 0 8px;border:0"';
  return ['<img src="', { field: "@site", as: "html-line" }, `${logoPath(logo)}" alt="" ${size}>\n`];
}

/** For the title, which can't have any. */
const withoutTags = (line: Template): Template =>
  line.map((piece) =>
    typeof piece === "string" ? piece.replaceAll(/<\/?bdi>/g, "") : { ...piece, bare: true },
  );

/**
 * The HTML of an email: one 600 px column in nested tables, which Outlook's renderer needs, with every style inline,
 * which Gmail needs. `dir="auto"` lets each paragraph find its direction.
 */
export function emailShell(shell: EmailShell): Template {
  const site = escapeHtml(shell.siteName);
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
<tr><td class="pad" style="padding:0 32px 12px">
`,
    ...letterhead(shell.logo),
    `<p class="name" dir="auto" style="margin:0;${FONT};font-size:14px;font-weight:600;overflow-wrap:anywhere;word-break:break-word;color:#5d574e">${site}</p>
</td></tr>
<tr><td class="card pad" style="padding:32px 32px 16px;background:#ffffff;border:1px solid #e8e3da;border-radius:10px">
<h1 dir="auto" style="margin:0 0 20px;${FONT};font-size:22px;line-height:1.3;color:#1d1a16;overflow-wrap:anywhere;word-break:break-word">`,
    ...lineHtml(shell.heading),
    "</h1>\n",
    ...shell.messageHtml({ paragraph: TEXT, link: LINK }),
    ...messageHtml(shell.signature, { paragraph: TEXT, link: LINK }),
    shell.attachmentNote === ""
      ? ""
      : `<p class="note" dir="auto" style="${SMALL};padding:10px 14px;background:#f3f0ea;border-radius:6px">` +
        `${escapeHtml(shell.attachmentNote)}</p>`,
    `
</td></tr>
<tr><td class="foot pad" style="padding:20px 32px 0">`,
    ...messageHtml(shell.footer, { paragraph: SMALL, link: QUIET_LINK }),
    `<p dir="auto" style="${SMALL}">${htmlText(shell.because)}</p>
<p style="${SMALL}"><a style="${QUIET_LINK}" href="`,
    { field: "@preferences", as: "html-line" },
    `">Change what we send you</a> &nbsp;·&nbsp; <a style="${QUIET_LINK}" href="`,
    { field: "@unsubscribe", as: "html-line" },
    `">Unsubscribe</a></p>
</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body></html>
`,
  ]);
}
