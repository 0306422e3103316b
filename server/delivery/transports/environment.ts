import type { EnvironmentAccount } from "#server/delivery/accounts.ts";
import type { Settings, SettingValues } from "#server/environment.ts";

/** The environment variables that set up accounts of one kind. */
export type TransportEnvironment<Declared extends Settings = Settings> = {
  settings: Declared;
  /**
   * @param values what the variables' schemas read
   * @param publicUrl the base of links in messages
   * @throws {ConfigError} values that are each valid but do not fit together
   */
  accounts(values: SettingValues<Declared>, publicUrl: string): EnvironmentAccount[];
};

export const transportEnvironment = <Declared extends Settings>(
  declared: TransportEnvironment<Declared>,
): TransportEnvironment => declared;
