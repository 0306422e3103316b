import { Link, type LinkProps } from "@tanstack/react-router";
import { Send } from "lucide-react";
import type { ComponentProps } from "react";

type Props = Omit<ComponentProps<"a">, "href"> & {
  /** The recipient of the notification. */
  write: `${"user" | "group"}:${number}`;
};

/** "New Notification" to one person or group: opens the create dialog over the current screen. */
export function WriteLink({ write, children = "New Notification", ...rest }: Props) {
  const search: LinkProps["search"] = (screen: object) => ({ ...screen, write });
  return (
    <Link to="." search={search} resetScroll={false} {...rest}>
      <Send aria-hidden />
      {children}
    </Link>
  );
}
