import type { TransportAdapter } from "./adapter.ts";
import { sandbox } from "./sandbox/adapter.ts";
import { smtp } from "./smtp/adapter.ts";

/** Every way to send that this build knows. A new one is a folder and a line here. */
export const adapters: readonly TransportAdapter[] = [sandbox, smtp];
