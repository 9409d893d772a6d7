import { OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';
import type { Route } from '../route';
import { registerComponents } from './components';
import { operationOf } from './operation';
import { problemResponses } from './problem-responses';
import { registerWebhooks } from './webhooks';
import { shareParts, type OpenApiDocument } from './share-parts';

/** The version of the contract: `/v1` in the paths of the API hosts. */
const VERSION = '1.0.0';

const GENERATED = 'From the route declarations; do not edit.';

export type { OpenApiDocument } from './share-parts';

/** An address of the described API. */
export type DocumentServer = NonNullable<OpenApiDocument['servers']>[number];

const about = {
  api: {
    title: 'Tollgate API',
    description:
      'Meters usage and decides who may use what. Authenticate with a secret key of the host’s environment. Every refusal is a problem document whose code is explained at [/docs/errors](/docs/errors). Times are those of the workspace: in a sandbox those of its clock, which may be ahead, unless the description says that a time is real. This applies to times in requests, too.',
  },
  console: {
    title: 'Tollgate console API',
    description:
      'What operators do: the catalogue, customers, keys, settings and members of an organization. Log in first; every call but those under `/api/auth`, `/api/organizations` and `/api/admin` names `organizationId` and `env`. Every refusal is a problem document whose code is explained at [/docs/errors](/docs/errors).',
  },
} as const;

/** Builds the OpenAPI 3.1 document of one kind of host from its routes. */
export function openApiDocument(
  host: 'api' | 'console',
  routes: readonly Route[],
  servers: DocumentServer[],
): OpenApiDocument {
  const registry = new OpenAPIRegistry();
  registerComponents(registry, host);
  const problems = problemResponses(registry, host);
  for (const route of routes) registry.registerPath(operationOf(route, problems));
  if (host === 'api') registerWebhooks(registry);
  const definitions = [...registry.definitions, ...problems.schemas()];
  const generator = new OpenApiGeneratorV31(definitions, { sortComponents: 'alphabetically' });
  return shareParts(
    generator.generateDocument({
      openapi: '3.1.0',
      info: { version: VERSION, ...about[host], 'x-generated': GENERATED },
      servers,
      tags: [...new Set(routes.map((route) => route.tag))].sort().map((name) => ({ name })),
    }),
  );
}

/** The servers of the committed documents; a deployment has its own addresses. */
export const publishedServers: Record<'api' | 'console', DocumentServer[]> = {
  api: [server('sandbox', 'http://127.0.0.1:4001'), server('production', 'http://127.0.0.1:4002')],
  console: [server('console', 'http://127.0.0.1:4000')],
};

function server(name: string, address: string): DocumentServer {
  const variable = `${name}Url`;
  return {
    url: `{${variable}}`,
    description: `The ${name} host`,
    variables: { [variable]: { default: address, description: 'The address of your installation.' } },
  };
}
