import { zodResolver } from "@hookform/resolvers/zod";
import * as z from "zod";
import { passwordLink, setPasswordForm } from "#contract/profile.ts";

/** The contract's part in setting a password by a link; a chunk of its own, as in rules.ts. */

// The content security policy forbids the code generation that zod would try first.
z.config({ jitless: true });

export const setPasswordRules = zodResolver(setPasswordForm);
export { passwordLink };
