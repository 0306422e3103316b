import { Fragment, useMemo, type ReactNode } from "react";

type Props = { html: string | null; text: string };

/** What a notice says, without what an email has around it, and in the console's own type and colors. */
export function LetterBody({ html, text }: Props) {
  const nodes = useMemo(() => (html === null ? null : messageIn(html)), [html]);
  return (
    <div className="letter text-[1rem] leading-[1.625rem] break-words">{nodes ?? paragraphsOf(text)}</div>
  );
}

/** The message of an email's HTML, made anew from the few elements that it may have. */
function messageIn(html: string): ReactNode {
  const page = new DOMParser().parseFromString(html, "text/html");
  // Emails of an older build have their message in the card, below the title.
  const message = page.querySelector(".message") ?? page.querySelector(".card");
  for (const other of message?.querySelectorAll(":scope > h1, :scope > .note") ?? []) other.remove();
  return message && childrenOf(message);
}

const childrenOf = (element: Element): ReactNode =>
  // oxlint-disable-next-line react/no-array-index-key -- the pieces of one text never change places
  [...element.childNodes].map((node, index) => <Fragment key={index}>{elementOf(node)}</Fragment>);

function elementOf(node: Node): ReactNode {
  if (!(node instanceof Element)) return node.textContent;
  const children = childrenOf(node);
  switch (node.tagName) {
    case "P":
      return <p dir="auto">{children}</p>;
    case "UL":
      return <ul dir="auto">{children}</ul>;
    case "OL":
      return (
        <ol dir="auto" start={Number(node.getAttribute("start") ?? 1)}>
          {children}
        </ol>
      );
    case "LI":
      return <li>{children}</li>;
    case "BR":
      return <br />;
    case "STRONG":
      return <strong>{children}</strong>;
    case "EM":
      return <em>{children}</em>;
    case "BDI":
      return <bdi>{children}</bdi>;
    case "A":
      return <OutsideLink address={node.getAttribute("href") ?? ""}>{children}</OutsideLink>;
    case "TABLE":
      return node.classList.contains("details") ? <Details table={node} /> : <p>{node.textContent}</p>;
    default:
      return children;
  }
}

function OutsideLink({ address, children }: { address: string; children: ReactNode }) {
  if (!/^(?:https?:\/\/|mailto:|tel:)/i.test(address)) return children;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

/** Labels beside their values, and above them on a phone. */
function Details({ table }: { table: Element }) {
  return (
    <table dir="auto" className="my-5 w-full rounded-lg bg-sunk text-start max-sm:block">
      <tbody className="max-sm:block">
        {[...table.querySelectorAll("tr")].map((row, index) => {
          const [label, value] = [row.querySelector("th"), row.querySelector("td")];
          return (
            // oxlint-disable-next-line react/no-array-index-key -- the rows never change places
            <tr key={index} className="not-first:border-t not-first:border-line max-sm:block max-sm:py-3">
              {label && (
                <th
                  scope="row"
                  className="w-32 px-4 py-3 text-start align-top text-sm leading-[1.625rem] font-normal text-ink-2 max-sm:block max-sm:w-auto max-sm:py-0"
                >
                  {childrenOf(label)}
                </th>
              )}
              {value && (
                <td
                  colSpan={label ? 1 : 2}
                  className="py-3 pe-4 align-top font-semibold not-first:ps-0 first:ps-4 max-sm:block max-sm:px-4! max-sm:py-0"
                >
                  {childrenOf(value)}
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const ADDRESS = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)])/;

/** Plain text: blank lines separate paragraphs, and addresses are links. */
function paragraphsOf(text: string): ReactNode {
  return text.split(/\n\s*\n/).map((paragraph, place) => (
    // oxlint-disable-next-line react/no-array-index-key -- the pieces of one text never change places
    <p key={place} dir="auto" className="whitespace-pre-line">
      {paragraph.split(ADDRESS).map((piece, index) =>
        index % 2 === 0 ? (
          piece
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- as above
          <OutsideLink key={index} address={piece}>
            {piece}
          </OutsideLink>
        ),
      )}
    </p>
  ));
}
