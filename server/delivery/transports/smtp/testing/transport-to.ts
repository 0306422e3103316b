import { smtpAccount, smtpServers } from "../environment.ts";
import { smtpSettings } from "../settings.ts";
import { SmtpTransport } from "../transport.ts";
import type { Timeouts } from "../open-connection.ts";

/** Opens a transport for this URL, as in SMTP_URL. */
export function transportTo(
  url: string,
  options: {
    connections?: number;
    timeouts?: Partial<Timeouts>;
    from?: string;
    verify?: boolean;
    ehloName?: string;
    hostName?: string;
  } = {},
): SmtpTransport {
  const {
    connections = 1,
    timeouts,
    from = "office@maple.example",
    verify,
    ehloName = "",
    hostName,
  } = options;
  const { settings } = smtpAccount(smtpServers(url)[0]!, { from, connections, ehloName });
  return new SmtpTransport(smtpSettings.parse(settings), {
    hostName,
    ...(timeouts && { timeouts }),
    ...(verify !== undefined && { verifyCertificate: verify }),
  });
}
