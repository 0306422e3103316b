import { Link, type LinkProps } from "@tanstack/react-router";
import { Send } from "lucide-react";
import type { ComponentProps } from "react";

/** The most people that one message to everyone missed may name: they are read as one page of the list. */
export const MOST_NAMED = 100;

type Props = Omit<ComponentProps<"a">, "href"> & {
  /** The recipient of the notification, homes of a property, or everyone that the notification with this id missed. */
  write: `${"user" | "group" | "homes" | "missed"}:${number}`;
  /** Only these homes of the property. */
  units?: number[] | undefined;
  /** It starts as a copy of this notification. */
  copy?: number | undefined;
};

/** "New Notification" to one person, group or home: opens the create dialog over the current screen. */
export function WriteLink({ write, copy, units, children = "New Notification", ...rest }: Props) {
  const search: LinkProps["search"] = (screen: object) => ({ ...screen, write, copy, units });
  return (
    <Link to="." search={search} resetScroll={false} {...rest}>
      <Send aria-hidden />
      {children}
    </Link>
  );
}
