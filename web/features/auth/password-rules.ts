import { zodResolver } from "@hookform/resolvers/zod";
import * as z from "zod";
import { passwordLink, setPasswordForm } from "#contract/calls/profile.ts";

/** What setting a password by a link needs of the contract, in its own chunk as in rules.ts. */

// The content security policy forbids the code generation that zod would try first.
z.config({ jitless: true });

export const setPasswordRules = zodResolver(setPasswordForm);
export { passwordLink };
