# Porchlight in a container. Meant for a PostgreSQL of your own (DATABASE_URL); without one the embedded PostgreSQL
# keeps its data in the volume /data.
#
#   docker build -t porchlight .
#   docker run --init -p 3000:3000 -e DATABASE_URL=postgres://… -e PORCHLIGHT_URL=https://… porchlight
#
# A stop may take as long as SHUTDOWN_SECONDS (30): give it that, as with docker stop --time 40.

FROM node:22-bookworm-slim AS manifest
RUN apt-get update && apt-get install --yes --no-install-recommends libatomic1
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/link-node.js scripts/link-node.js

FROM manifest AS build
RUN npm ci
COPY contract contract
COPY web web
COPY server/web-build.ts server/web-build.ts
RUN npm run build

# Without Node's headers, and without what only the build of the pages needs (deploy.test.ts holds the list to that).
FROM manifest AS dependencies
RUN npm ci --omit=dev && cd node_modules && rm -rf node-*/include \
  vite rolldown @rolldown lightningcss* @vitejs @tailwindcss tailwindcss @tanstack @tiptap @radix-ui radix-ui \
  lucide-react react-day-picker date-fns react-dom react-hook-form

# No Node here: the one that Porchlight is made for comes with its dependencies.
FROM debian:bookworm-slim
RUN apt-get update && apt-get install --yes --no-install-recommends libatomic1 && rm -rf /var/lib/apt/lists/*
RUN useradd --system --uid 10001 --no-create-home --home-dir /data porchlight \
  && install --directory --owner=porchlight --mode=0700 /data
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json package-lock.json ./
COPY contract contract
COPY server server
ENV PATH=/app/node_modules/.bin:$PATH \
  HOST=0.0.0.0 \
  METRICS_PORT=9464 \
  PORCHLIGHT_DATA=/data
# Makes the links between PostgreSQL's libraries, which the account below may not make.
RUN ["node", "-e", "import('/app/server/db/embedded/binaries.ts').then(({ findBinaries }) => findBinaries(undefined, '/data'))"]
USER porchlight
VOLUME /data
EXPOSE 3000
# In every role. Docker and Compose only show it; what restarts unhealthy containers should ask /healthz, so that it
# restarts none while the database is away or migrates.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "server/main.ts"]
