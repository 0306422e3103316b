import { Link } from "@tanstack/react-router";
import type { DashboardFigures } from "#contract/calls/dashboard.ts";
import { numberText } from "#contract/text/locale.ts";
import { ChannelIcon, channelLook } from "#web/domain/channel.tsx";
import { Card, CardHeader } from "#web/ui/page/card.tsx";
import { cx } from "#web/ui/browser/class-names.ts";

/** The same messages as in the trend, by channel. Each leads to its notifications. */
export function ChannelMix({ figures }: { figures: DashboardFigures }) {
  const rows = figures.channels.map((row) => ({ ...row, all: row.delivered + row.sent + row.failed }));
  const total = rows.reduce((sum, { all }) => sum + all, 0);
  return (
    <Card aria-labelledby="channel-mix">
      <CardHeader title={<span id="channel-mix">Channel mix</span>} />
      <div aria-hidden className="mx-4 flex h-2 gap-0.5 overflow-hidden rounded-full bg-sunk">
        {rows.map(
          ({ channel, all }) =>
            all > 0 && (
              <span
                key={channel}
                className={cx("min-w-1", channelLook[channel].fill)}
                style={{ flexGrow: all, flexBasis: 0 }}
              />
            ),
        )}
      </div>
      <table className="mt-2 mb-2 w-full text-left tabular">
        <thead className="sr-only">
          <tr>
            <th scope="col">Channel</th>
            <th scope="col">Messages</th>
            <th scope="col">Share</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(({ channel, all, delivered, failed }) => (
            <tr key={channel}>
              <th scope="row" className="py-3 pl-4 font-normal">
                <span className="flex items-center gap-3">
                  <ChannelIcon channel={channel} named />
                  <span>
                    <Link
                      to="/notifications"
                      search={{ channel, time: "30-days" }}
                      className="block text-sm font-medium hover:underline hover:underline-offset-4"
                    >
                      {channelLook[channel].label}
                    </Link>
                    <span className="block text-[0.8125rem] text-ink-2">
                      {numberText(delivered)} delivered{failed > 0 && `, ${numberText(failed)} failed`}
                    </span>
                  </span>
                </span>
              </th>
              <td className="py-3 pl-3 text-right align-top text-sm font-semibold">{numberText(all)}</td>
              <td className="w-16 py-3 pr-4 text-right align-top text-sm text-ink-2">
                {total > 0 ? `${Math.round((all / total) * 100)}%` : "–"}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
