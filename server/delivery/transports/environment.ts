import type { EnvironmentAccount } from "#server/delivery/accounts/accounts.ts";
import type { Settings, SettingValues } from "#server/environment.ts";

/** The environment variables that set up accounts of one kind. */
export type TransportEnvironment<Declared extends Settings = Settings> = {
  settings: Declared;
  /**
   * @param values the parsed variables
   * @param publicUrl the base of links in messages
   * @throws {ConfigError} if the values contradict each other
   */
  accounts(values: SettingValues<Declared>, publicUrl: string): EnvironmentAccount[];
};

export const transportEnvironment = <Declared extends Settings>(
  declared: TransportEnvironment<Declared>,
): TransportEnvironment => declared;
