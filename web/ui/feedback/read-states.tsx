import type { ReactNode } from "react";
import { Card } from "#web/ui/page/card.tsx";
import { ErrorState } from "#web/ui/feedback/error-state.tsx";

/** The state of a query. */
type Read<Data> = {
  data: Data | undefined;
  /** With `data`, that is from before the error. */
  error: Error | null;
  isFetching: boolean;
  refetch: () => unknown;
};

type Props<Data> = {
  read: Read<Data>;
  /** "Error loading settings" */
  failed: string;
  /** Shown if it doesn't exist, or was deleted since it was read. */
  missing?: ReactNode;
  /** The loading placeholder. */
  skeleton: ReactNode;
  /** Puts the error in a card, if the children have their own. */
  card?: boolean;
  children: (data: Data) => ReactNode;
};

/** Something read, in all its states: loading, failed, missing, or there. */
export function ReadStates<Data>({ read, failed, missing, skeleton, card, children }: Props<Data>) {
  const { data, error, isFetching, refetch } = read;
  if (missing && isMissing(error)) return missing;
  if (data !== undefined) return children(data);
  if (!error) {
    return (
      <>
        <output className="sr-only">Loading...</output>
        {skeleton}
      </>
    );
  }
  const state = (
    <ErrorState title={failed} detail={error.message} busy={isFetching} onRetry={() => void refetch()} />
  );
  return card ? <Card>{state}</Card> : state;
}

/** Whether the server answered that it doesn't exist. */
export function isMissing(error: Error | null): boolean {
  return error !== null && "code" in error && error.code === "not-found";
}
