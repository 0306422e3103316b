import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { isolated } from "#contract/text/isolate.ts";
import { contactsIn } from "#contract/text/contact-text.ts";
import { valueOf } from "#contract/text/message-fields.ts";
import { writtenDetail } from "#contract/text/person-details.ts";
import type { UserDetail } from "#contract/calls/users.ts";
import { usePersonDetails } from "#web/domain/person-details.ts";
import { nationalPhone, shownContacts } from "#web/domain/phone-number.ts";
import { When } from "#web/ui/time/when.tsx";

export function PersonFacts({ person }: { person: UserDetail }) {
  const { username, email, phone, propertyUnit, property, unit, groups } = person;
  const details = usePersonDetails();
  const home = [property && `property ${isolated(property)}`, unit && `unit ${isolated(unit)}`]
    .filter(Boolean)
    .join(", ");
  return (
    <dl className="grid gap-x-4 gap-y-3 text-sm sm:grid-cols-[8.5rem_1fr]">
      <Fact label="Username">
        <bdi translate="no">{username}</bdi>
      </Fact>
      <Fact label="Email">
        {email ? (
          <a href={`mailto:${email}`} className="break-all underline underline-offset-2">
            {email}
          </a>
        ) : (
          <None words="None on file" />
        )}
      </Fact>
      <Fact label="Phone">
        {phone ? (
          <a href={`tel:${phone}`} className="underline underline-offset-2">
            {nationalPhone(phone)}
          </a>
        ) : (
          <None words="None on file" />
        )}
      </Fact>
      {person.otherContacts && (
        <Fact label="Other contacts">
          <ul>
            {contactsIn(person.otherContacts).map(({ label, text }) => (
              <li key={text} className="break-words">
                {label && <span className="text-ink-2">{`${isolated(label)}: `}</span>}
                <bdi translate="no">{shownContacts(text)}</bdi>
              </li>
            ))}
          </ul>
        </Fact>
      )}
      <Fact label="Property/Unit">
        {propertyUnit ? (
          <>
            <bdi translate="no">{propertyUnit}</bdi>
            {home && <span className="block text-ink-2">Read as {home}</span>}
          </>
        ) : (
          <None words="Not set" />
        )}
      </Fact>
      {details.map(({ field, label, kind }) => {
        const value = valueOf(person.details, field);
        return value === undefined ? null : (
          <Fact key={field} label={<bdi translate="no">{label}</bdi>}>
            <bdi translate="no" className={kind === "text" ? undefined : "tabular"}>
              {writtenDetail(kind, value)}
            </bdi>
          </Fact>
        );
      })}
      <Fact label="Groups">
        {groups.length > 0 ? (
          <ul className="flex flex-wrap gap-1.5">
            {groups.map(({ id, name, byRule }) => (
              <li key={id}>
                <Link
                  to="/users"
                  search={{ tab: "groups", members: id }}
                  className="flex min-h-6.5 items-center gap-1.5 rounded-sm bg-quiet-soft px-2 py-0.5 font-medium hover:bg-line touch:min-h-11"
                >
                  <bdi translate="no">{name}</bdi>{" "}
                  {byRule && <span className="shrink-0 font-normal text-ink-2">by rule</span>}
                </Link>
              </li>
            ))}
          </ul>
        ) : (
          <None words="No groups" />
        )}
      </Fact>
      <Fact label="Sign-in">
        {person.hasPassword ? "Has a password" : "No password yet. Send credentials so they can sign in."}
        {person.twoFactor && <span className="block text-ink-2">Two-factor authentication is on.</span>}
        {person.lastSeenAt && (
          <span className="block text-ink-2">
            Last seen <When at={person.lastSeenAt} as="sentence" />
          </span>
        )}
      </Fact>
      <Fact label="Added">
        <When at={person.createdAt} as="full" />
      </Fact>
    </dl>
  );
}

function Fact({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    // One column on phones, two if there is room.
    <div className="sm:contents">
      <dt className="text-ink-2">{label}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}

function None({ words }: { words: string }) {
  return <span className="text-ink-2">{words}</span>;
}
