import { errorCatalogue, type ErrorCode } from '../../src/domain/errors';
import { openApiDocument, publishedServers, type OpenApiDocument } from '../../src/http/openapi/document';
import { errorCodesOf, hostErrors } from '../../src/http/openapi/route-errors';
import { consoleRoutes } from '../../src/http/console/routes';
import type { Route } from '../../src/http/route';
import { createPortalCookie } from '../../src/http/auth/session-cookie';
import { portalRoutes } from '../../src/http/portal/routes';
import { apiRoutes } from '../../src/http/v1/routes';
import { routesOf } from '../support/routes';
import { expectCommitted } from '../support/snapshot';
import { useService } from '../support/use-service';

const routes: Record<'api' | 'console', Route[]> = {
  api: routesOf((services) => apiRoutes(services, 'sandbox')),
  console: routesOf(consoleRoutes),
};
const everyRoute = [...routes.api, ...routes.console];
const hosts = ['api', 'console'] as const;

/** Yields every object in a document, with its path. */
function* objectsIn(value: unknown, path = ''): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [path, value as Record<string, unknown>];
  for (const [key, member] of Object.entries(value)) yield* objectsIn(member, `${path}/${key}`);
}

/** Returns the object that `$ref` names in a document, or the value itself. */
function resolved(document: object, value: unknown): unknown {
  const { $ref } = (value ?? {}) as { $ref?: string };
  if ($ref === undefined) return value;
  return $ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
}

/** Returns the schema of a route's problems under one status. */
function problemSchemaOf(document: object, response: unknown): unknown {
  const { content } = resolved(document, response) as {
    content: Record<string, { schema: unknown } | undefined>;
  };
  return resolved(document, content['application/problem+json']?.schema);
}

describe.each(hosts)('the OpenAPI document of the %s host', (host) => {
  const document: OpenApiDocument = openApiDocument(host, routes[host], publishedServers[host]);

  test('is the committed one', () => {
    expectCommitted(`docs/openapi/${host}.json`, `${JSON.stringify(document, null, 2)}\n`);
  });

  test('refers only to what it holds', () => {
    for (const [, { $ref }] of objectsIn(document)) {
      if (typeof $ref !== 'string') continue;
      expect([$ref, typeof resolved(document, { $ref })]).toEqual([$ref, 'object']);
    }
  });

  test('describes every route once, under an id of its own', () => {
    const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, { operationId: string }>).map(
        ([method, one]) => `${method} ${path} ${one.operationId}`,
      ),
    );
    expect(operations.sort()).toEqual(
      routes[host].map((one) => `${one.method} ${one.path} ${one.operationId}`).sort(),
    );
    expect(new Set(routes[host].map((one) => one.operationId)).size).toBe(routes[host].length);
  });

  test('says how each operation is authenticated, what it answers, and which codes refuse it', () => {
    for (const one of routes[host]) {
      const methods = document.paths?.[one.path] as Record<string, Record<string, unknown>>;
      const operation = methods[one.method] ?? {};
      expect(operation['security']).toHaveLength(one.access === 'public' ? 0 : 1);
      const responses = operation['responses'] as Record<string, unknown>;
      expect(
        Object.keys(one.responses).every((status) => Number(status) < 400 && responses[status] !== undefined),
      ).toBe(true);
      for (const code of errorCodesOf(one)) {
        const response = resolved(document, responses[errorCatalogue[code].status]);
        expect(response).toHaveProperty('description', expect.stringContaining(`\`${code}\``));
        expect(response).toHaveProperty(['content', 'application/problem+json']);
      }
      const parameters = JSON.stringify(operation['parameters'] ?? []);
      expect(parameters.includes('/organizationId') && parameters.includes('/env')).toBe(
        one.access === 'operator',
      );
      expect(parameters.includes('dempotencyKey')).toBe(one.idempotencyKey !== undefined);
    }
  });

  test('says that a role is missing only where some member has too little', () => {
    for (const one of routes[host]) {
      if (one.access !== 'operator') continue;
      const isForAll = one.role === 'viewer' && one.roleInProduction === undefined;
      expect([one.operationId, errorCodesOf(one).includes('role_forbidden')]).toEqual([
        one.operationId,
        !isForAll,
      ]);
    }
  });

  test('says with which answers Retry-After comes, and Location', () => {
    const answers = routes[host].flatMap((one) => {
      const methods = document.paths?.[one.path] as Record<string, { responses: object } | undefined>;
      return Object.entries(methods[one.method]?.responses ?? {}).map(([status, response]) => {
        const { description = '', headers = {} } = resolved(document, response) as {
          description?: string;
          headers?: object;
        };
        return { at: `${one.operationId} ${status}`, status, description, headers };
      });
    });
    for (const { at, status, description, headers } of answers) {
      const isTemporary =
        ['429', '503'].includes(status) || /`(?:idempotency_key_in_use|nothing_to_retry)`/.test(description);
      expect([at, 'Retry-After' in headers]).toEqual([at, isTemporary]);
    }
    if (host !== 'api') return;
    // The outcome of a resend is read at its endpoint.
    const ofAccepted = answers.filter(({ at, status }) => status === '202' && !at.startsWith('resend'));
    expect(ofAccepted.map(({ at, headers }) => [at, 'Location' in headers])).toEqual(
      ofAccepted.map(({ at }) => [at, true]),
    );
    expect(ofAccepted.length).toBeGreaterThan(0);
  });

  test('says that every answer to a valid key has its limits, and every refusal of a key has a challenge', () => {
    for (const one of routes[host]) {
      const methods = document.paths?.[one.path] as Record<string, { responses: object } | undefined>;
      for (const [status, response] of Object.entries(methods[one.method]?.responses ?? {})) {
        const { description = '', headers = {} } = resolved(document, response) as {
          description?: string;
          headers?: object;
        };
        const at = `${one.operationId} ${status}`;
        const isKeyed = one.access === 'apiKey';
        expect([at, 'RateLimit' in headers, 'RateLimit-Policy' in headers]).toEqual([
          at,
          ...[isKeyed && status !== '401', isKeyed && status !== '401'],
        ]);
        const isAboutKey = isKeyed && /`(?:api_key_missing|scope_missing)`/.test(description);
        expect([at, 'WWW-Authenticate' in headers]).toEqual([at, isAboutKey]);
      }
    }
  });

  test('says of each number that is sent how many decimals it may have', () => {
    const silent = [...objectsIn(document)].filter(
      ([, { type, maximum, description = '' }]) =>
        [type].flat().includes('number') &&
        maximum !== undefined &&
        !/six decimals/.test(description as string),
    );
    expect(silent.map(([path]) => path)).toEqual([]);
  });

  test('says how long an idempotency key is kept', () => {
    if (host !== 'api') return;
    for (const name of ['idempotencyKey', 'optionalIdempotencyKey'])
      expect(document.components?.parameters?.[name]).toHaveProperty(
        'description',
        expect.stringContaining('30 days'),
      );
  });

  test('makes no component nullable: what may be null says so where it is used', () => {
    for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
      const { type, allOf, anyOf } = schema as {
        type?: unknown;
        allOf?: unknown;
        anyOf?: { type?: unknown }[];
      };
      // A problem with its codes is an intersection of two objects; a request may be one of several objects.
      const types = allOf === undefined ? (anyOf ?? [{ type }]).map((one) => one.type) : ['object'];
      expect([name, [...new Set(types)]]).toEqual([name, ['object']]);
    }
    const subscription = document.components?.schemas?.['Subscription'] as
      | { properties: Record<string, unknown> }
      | undefined;
    expect(subscription?.properties['scheduledChange']).toEqual({
      anyOf: [{ $ref: '#/components/schemas/ScheduledChange' }, { type: 'null' }],
    });
  });

  test('permits null wherever it says so: not beside a reference to what is never null', () => {
    const never = [...objectsIn(document)].filter(([, { allOf }]) =>
      Array.isArray(allOf)
        ? allOf.some(({ type }: { type?: unknown }) => [type].flat().includes('null'))
        : false,
    );
    expect(never.map(([path]) => path)).toEqual([]);
  });

  test('says that a denied track has its decision', () => {
    if (host !== 'api') return;
    const denied = document.paths?.['/v1/usage/track']?.post?.responses?.['403'] as object;
    expect(JSON.stringify(denied)).toContain('"decision":{"$ref":"#/components/schemas/UsageCheck"}');
  });

  test('gives every enumeration and constant a type', () => {
    const untyped = [...objectsIn(document)].filter(
      ([path, schema]) =>
        ('enum' in schema || 'const' in schema) && !('type' in schema) && !path.endsWith('/properties'),
    );
    expect(untyped.map(([path]) => path)).toEqual([]);
  });

  test('counts in integers: a fraction is only in what has decimals', () => {
    // Units and credits, which have up to six decimals, and integrators' own metadata and properties.
    const withDecimals =
      /\/(?:quantity|usage|quota|entityQuota|remaining|reserved|rollover|overage|creditBalance|creditCost|credits|balance)$|\/rollover\/properties\/max$|\/(?:CreditGrant|GrantCreditsRequest)\/properties\/amount$|\/(?:metadata|properties\/properties)\//;
    const inexact = [...objectsIn(document)].filter(
      ([path, { type }]) => [type].flat().includes('number') && !withDecimals.test(path),
    );
    expect(inexact.map(([path]) => path)).toEqual([]);
  });

  test('lists the codes of each status of a route', () => {
    for (const one of routes[host]) {
      const methods = document.paths?.[one.path] as Record<string, { responses: Record<string, unknown> }>;
      const responses = methods[one.method]?.responses ?? {};
      for (const status of new Set(errorCodesOf(one).map((code) => errorCatalogue[code].status))) {
        const codes = errorCodesOf(one).filter((code) => errorCatalogue[code].status === status);
        expect(problemSchemaOf(document, responses[status])).toMatchObject({
          allOf: [
            { $ref: '#/components/schemas/Problem' },
            {
              properties: { code: { type: 'string', enum: codes } },
              required: expect.arrayContaining(['code']) as unknown,
            },
          ],
        });
      }
    }
  });

  test('writes a problem of few codes once, under a name that says them', () => {
    const shared = Object.keys(document.components?.responses ?? {});
    expect(shared).toContain('ValidationFailedOrBodyUnusable');
    const inline = routes[host].flatMap((one) => {
      const methods = document.paths?.[one.path] as Record<string, { responses: Record<string, object> }>;
      return Object.entries(methods[one.method]?.responses ?? {})
        .filter(([status, response]) => Number(status) >= 400 && !('$ref' in response))
        .map(([status, response]) => [status, problemSchemaOf(document, response)]);
    });
    // Problems whose wording belongs to one route are inline there.
    expect(inline.length).toBeLessThan(30);
  });

  test('names every list envelope and every JSON body', () => {
    const inline = [...objectsIn(document.paths)].filter(
      ([path, schema]) =>
        path.endsWith('/content/application/json/schema') &&
        'properties' in schema &&
        (path.includes('/requestBody/') || 'hasMore' in (schema['properties'] as object)),
    );
    expect(inline.map(([path]) => path)).toEqual([]);
  });

  test('gives a type to everything that callers send', () => {
    const untyped = [...objectsIn(document)].filter(
      ([path, schema]) => path.endsWith('/schema') && Object.keys(schema).length === 0,
    );
    expect(untyped).toEqual([]);
  });
});

describe('error codes', () => {
  test('each code that a route declares exists', () => {
    for (const one of everyRoute)
      for (const code of one.errors ?? []) expect(errorCatalogue).toHaveProperty([code]);
  });

  test('a fix that a key gets says of a console’s route whose it is', () => {
    const ofKeys = new Set(routes.api.flatMap(errorCodesOf));
    const misleading = [...ofKeys].filter((code) => {
      const { fix } = errorCatalogue[code];
      return /\/api\/|…\//.test(fix) && !fix.includes('console');
    });
    expect(misleading).toEqual([]);
  });

  test('a batch refuses as a whole only what it reads as a whole', () => {
    const codes = routes.api.filter(({ listBody }) => listBody !== undefined).map(errorCodesOf);
    expect(codes).toHaveLength(1);
    expect(codes[0]).toEqual(expect.arrayContaining(['body_duplicate_member', 'body_invalid_json']));
    expect(codes[0]).not.toContain('body_too_complex');
    expect(codes[0]).not.toContain('body_number_imprecise');
  });

  test('each body that a key sends has an example, which its schema takes', () => {
    for (const { operationId, access, body: alone, listBody, example } of routes.api) {
      const body = alone ?? listBody?.schema;
      if (access !== 'apiKey' || body === undefined) continue;
      expect([operationId, body.safeParse(example).error?.issues]).toEqual([operationId, undefined]);
    }
  });

  test('each operator’s route says who may call it', () => {
    for (const one of everyRoute)
      expect([one.operationId, one.role !== undefined]).toEqual([one.operationId, one.access === 'operator']);
  });

  test('each path parameter is declared, and each declared one is in the path', () => {
    for (const one of everyRoute) {
      const named = [...one.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const shape = one.params === undefined ? {} : (one.params as unknown as { shape: object }).shape;
      expect([one.operationId, ...Object.keys(shape).sort()]).toEqual([one.operationId, ...named.sort()]);
    }
  });

  /** Codes of features that have no route yet. */
  const reserved: ErrorCode[] = ['temporal_unavailable', 'capability_unavailable', 'capability_unsupported'];

  test('each code is documented at a route, or is one that the host answers by itself', () => {
    // The customer's page calls routes of its own, which no document describes.
    const ofThePage = routesOf((services) =>
      portalRoutes(services, 'sandbox', createPortalCookie('sandbox', 60)),
    );
    const used = new Set<string>([
      ...[...everyRoute, ...ofThePage].flatMap(errorCodesOf),
      ...hostErrors,
      ...reserved,
    ]);
    expect(Object.keys(errorCatalogue).filter((code) => !used.has(code))).toEqual([]);
  });
});

describe('on the hosts', () => {
  const service = useService();

  test.each(['sandbox', 'production', 'console'] as const)(
    '/openapi.json of the %s host is its own',
    async (host) => {
      const answer = await fetch(`${service.urls[host]}/openapi.json`);
      const document = (await answer.json()) as OpenApiDocument;
      expect([answer.status, document.openapi]).toEqual([200, '3.1.0']);
      const expected = routes[host === 'console' ? 'console' : 'api'].map((one) => one.path);
      expect(Object.keys(document.paths ?? {}).sort()).toEqual([...new Set(expected)].sort());
      expect(document.servers).toEqual([{ url: '/', description: 'This host' }]);
    },
  );
});
