import type { FieldValues, Resolver } from "react-hook-form";
import type * as rules from "#web/features/auth/rules.ts";

type Rules = typeof rules;

let loading: Promise<Rules> | undefined;

/** Loads the contract's part once; called at the first key press so that it is there on submit. */
export function loadRules(): Promise<Rules> {
  loading ??= import("#web/features/auth/rules.ts").catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** A resolver that waits for its rules. */
export function lazyResolver<Fields extends FieldValues>(
  pick: (rules: Rules) => Resolver<Fields>,
): Resolver<Fields> {
  return async (...given) => pick(await loadRules())(...given);
}
