import type { OpenAPIRegistry } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import { IDEMPOTENCY_KEY } from '../../idempotency/idempotency-key';

/** An RFC 9457 problem, the answer to every refusal and failure. */
export const problemSchema = z
  .object({
    type: z.url().meta({ description: 'Where the code is explained.' }),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: 'What went wrong with this request.' }),
    code: z.string().meta({ description: 'Stable, for programs.' }),
    fix: z.string().meta({ description: 'How to fix it.' }),
    requestId: z.string(),
    errors: z
      .array(z.object({ pointer: z.string(), message: z.string(), fix: z.string() }))
      .optional()
      .meta({ description: 'The invalid members; `pointer` is a JSON Pointer into the request.' }),
  })
  .catchall(z.unknown())
  .meta({ id: 'Problem' });

/** Names by which routes refer to the security schemes below. */
export const securitySchemes = { apiKey: 'apiKey', session: 'session' } as const;

const headers = {
  'Request-Id': {
    description: 'Names this request in logs and support.',
    schema: { type: 'string' as const },
  },
  ETag: {
    description:
      'Identifies this version of the answer. Send it as `If-None-Match`: the response is 304 until the answer changes.',
    schema: { type: 'string' as const },
  },
  RateLimit: {
    description: 'What the key may still send to this process (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string' as const },
    example: '"second";r=4999;t=1',
  },
  'RateLimit-Policy': {
    description: 'The limits: requests per second (`q` in `w` seconds), and concurrent requests.',
    schema: { type: 'string' as const },
    example: '"second";q=5000;w=1, "concurrent";q=2000;qu="concurrent-requests"',
  },
  Location: {
    description: 'Where to poll, as a path on this host.',
    schema: { type: 'string' as const, format: 'uri-reference' },
  },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' as const } },
  'WWW-Authenticate': {
    description: 'How to authenticate, and why the key was refused (RFC 6750).',
    schema: { type: 'string' as const },
    example: 'Bearer realm="Tollgate", error="invalid_token"',
  },
  'Idempotency-Replayed': {
    description: '`true` when this is the stored answer of an earlier request with the same key.',
    schema: { type: 'string' as const, enum: ['true'] },
  },
};

/** Returns the reference to a shared header. */
export function headerReference(name: keyof typeof headers): { $ref: string } {
  return { $ref: `#/components/headers/${name}` };
}

/** References to the headers of every answer to a valid key. */
export const limitHeaders = {
  RateLimit: headerReference('RateLimit'),
  'RateLimit-Policy': headerReference('RateLimit-Policy'),
};

/**
 * Registers the components that routes share: security schemes, the workspace's parameters, the idempotency key, answer
 * headers.
 */
export function registerComponents(registry: OpenAPIRegistry, host: 'api' | 'console'): void {
  if (host === 'api') {
    registry.registerComponent('securitySchemes', securitySchemes.apiKey, {
      type: 'http',
      scheme: 'bearer',
      description:
        'A secret key of this environment: `svc_test_…` on the sandbox host, `svc_live_…` on the production host. It never belongs in a browser or an app; here it is for trying out.',
    });
  } else {
    registry.registerComponent('securitySchemes', securitySchemes.session, {
      type: 'apiKey',
      in: 'cookie',
      name: 'tollgate_session',
      description:
        'The cookie that `POST /api/auth/login` sets (over https its name is `__Host-tollgate_session`). The browser sends it automatically.',
    });
    registry.registerComponent('parameters', 'organizationId', {
      name: 'organizationId',
      in: 'query',
      required: true,
      description: 'The organization to work in.',
      schema: { type: 'string' },
    });
    registry.registerComponent('parameters', 'env', {
      name: 'env',
      in: 'query',
      required: true,
      description: 'The environment to work in.',
      schema: { type: 'string', enum: ['sandbox', 'production'] },
    });
  }
  for (const [name, header] of Object.entries(headers)) registry.registerComponent('headers', name, header);
  registry.registerComponent('parameters', 'ifNoneMatch', {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The `ETag` of an earlier answer.',
    schema: { type: 'string' },
  });
  for (const [name, required] of [
    ['idempotencyKey', true],
    ['optionalIdempotencyKey', false],
  ] as const) {
    registry.registerComponent('parameters', name, {
      name: 'Idempotency-Key',
      in: 'header',
      required,
      description:
        'Your own value for this operation, repeated on a retry: 1 to 255 visible ASCII characters. It identifies one request of the environment, across all routes. The key of a track is kept as long as the usage event; any other key is kept for 30 days and then counts as new.',
      schema: { type: 'string', pattern: IDEMPOTENCY_KEY.source },
    });
  }
}
