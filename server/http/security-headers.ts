import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";

/** Headers of every reply. Radix positions its layers with inline styles; scripts are only ever our own files. */
export async function securityHeaders(app: FastifyInstance, publicUrl: URL): Promise<void> {
  const https = publicUrl.protocol === "https:";
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", "data:", "blob:"],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        frameSrc: ["'self'"],
        workerSrc: ["'self'", "blob:"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // The same as frame-ancestors, for browsers that only know this.
    xFrameOptions: { action: "deny" },
    // Only over https: a browser that saw this refuses plain http for a year.
    strictTransportSecurity: https ? { maxAge: 31_536_000 } : false,
    crossOriginEmbedderPolicy: false,
  });
}
