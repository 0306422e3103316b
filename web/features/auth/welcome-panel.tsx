import { CalendarDays, Send, UsersRound } from "lucide-react";
import { LampMark } from "#web/ui/page/brand.tsx";

const features = [
  {
    Icon: Send,
    title: "Multi-channel notifications",
    words: "Email, text and push, with proof of delivery.",
  },
  {
    Icon: UsersRound,
    title: "Tenant and staff management with groups",
    words: "By property, by role or by hand.",
  },
  {
    Icon: CalendarDays,
    title: "Scheduled notifications",
    words: "Once or on a regular basis, in your time zone.",
  },
];

/** What Porchlight is for. A night scene with the lamp lit in both themes. Hidden on small screens. */
export function WelcomePanel() {
  return (
    <section
      aria-label="About Porchlight"
      className="dark hidden h-dvh overflow-hidden bg-[#1d1a16] p-12 text-ink lg:sticky lg:top-0 lg:flex lg:flex-col lg:justify-between xl:p-16"
      style={{
        backgroundImage:
          "radial-gradient(44rem 33rem at 50% -4rem, rgb(229 154 28 / .46), rgb(229 154 28 / .15) 48%, rgb(229 154 28 / .04) 74%, transparent)",
      }}
    >
      <p className="flex items-center gap-3 text-lg font-semibold tracking-tight">
        <LampMark className="size-8" />
        Porchlight
      </p>
      <div>
        <h2 className="max-w-xl text-4xl leading-[1.15] text-wrap font-bold tracking-[-0.025em]">
          Everyone who lives here, <br />
          reached.
        </h2>
        <ul className="mt-10 flex flex-col gap-4.5">
          {features.map(({ Icon, title, words }) => (
            <li key={title} className="flex items-center gap-4">
              <span
                aria-hidden
                className="grid size-9 shrink-0 place-items-center rounded-md bg-white/8 text-lamp"
              >
                <Icon className="size-[1.125rem]" strokeWidth={1.75} />
              </span>
              <div>
                <p className="font-semibold">{title}</p>
                <p className="text-ink-2">{words}</p>
              </div>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
