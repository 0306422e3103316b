import { zodResolver } from "@hookform/resolvers/zod";
import * as z from "zod";
import { auth, loginForm, registerForm } from "#contract/auth.ts";

/**
 * The contract's part in signing in: its sentences and its calls. A chunk of its own, loaded at the first
 * key press, because the schemas weigh a quarter of what the sign-in page may.
 */

// The content security policy forbids the code generation that zod would try first.
z.config({ jitless: true });

export const loginRules = zodResolver(loginForm);
export const registerRules = zodResolver(registerForm);
export { auth };
