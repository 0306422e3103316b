import { zodResolver } from "@hookform/resolvers/zod";
import * as z from "zod";
import { auth, loginForm, registerForm } from "#contract/calls/auth.ts";
import { secondStep, secondStepForm } from "#contract/calls/two-factor.ts";

/**
 * Signing in needs these sentences and calls from the contract. A separate chunk, loaded at the first key press,
 * because the schemas are a quarter of the sign-in page's size budget.
 */

// The content security policy forbids the code generation that zod would try first.
z.config({ jitless: true });

export const loginRules = zodResolver(loginForm);
export const registerRules = zodResolver(registerForm);
export const secondStepRules = zodResolver(secondStepForm);
export { auth, secondStep };
