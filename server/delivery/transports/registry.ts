import type { TransportAdapter } from "./adapter.ts";
import type { TransportEnvironment } from "./environment.ts";
import { sandbox } from "./sandbox/adapter.ts";
import { smtp } from "./smtp/adapter.ts";
import { smtpEnvironment } from "./smtp/environment.ts";

/** Every way to send that this build knows. A new one is a folder and a line here. */
export const adapters: readonly TransportAdapter[] = [sandbox, smtp];

/** What sets up accounts without the console: the environment variables of each kind that has some. */
export const transportEnvironments: readonly TransportEnvironment[] = [smtpEnvironment];
