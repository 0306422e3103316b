import type { FieldValues, Resolver } from "react-hook-form";

/**
 * The form's validation from the contract, loaded once at the first key press, so that it is there on submit.
 * `resolver` returns a resolver that waits for it.
 */
function lazyRules<Rules>(fetchRules: () => Promise<Rules>) {
  let loading: Promise<Rules> | undefined;
  const load = (): Promise<Rules> => {
    loading ??= fetchRules().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  const resolver =
    <Fields extends FieldValues>(pick: (rules: Rules) => Resolver<Fields>): Resolver<Fields> =>
    async (...given) =>
      pick(await load())(...given);
  return { load, resolver };
}

export const signInRules = lazyRules(() => import("#web/features/auth/rules.ts"));
export const passwordRules = lazyRules(() => import("#web/features/auth/password-rules.ts"));
