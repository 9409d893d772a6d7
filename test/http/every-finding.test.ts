import { z } from 'zod';
import { consoleRoutes } from '../../src/http/console/routes';
import { parseInput } from '../../src/http/input';
import { portalRoutes } from '../../src/http/portal/routes';
import type { Route } from '../../src/http/route';
import { apiRoutes } from '../../src/http/v1/routes';
import { createPortalCookie } from '../../src/http/auth/session-cookie';
import { routesOf } from '../support/routes';

/** What is said of values that no schema takes: every message is ours, and follows the name of what is wrong. */
const routes = [
  ...routesOf(consoleRoutes),
  ...routesOf((services) => apiRoutes(services, 'sandbox')),
  ...routesOf((services) => portalRoutes(services, 'sandbox', createPortalCookie('sandbox', 1))),
];

interface Shape {
  $ref?: string;
  anyOf?: Shape[];
  properties?: Record<string, Shape>;
  items?: Shape;
  additionalProperties?: Shape | boolean;
}

/** Returns the path of each value that a schema describes. */
function* pathsIn(shape: Shape, path: readonly string[] = []): Generator<readonly string[]> {
  yield path;
  for (const one of shape.anyOf ?? []) yield* pathsIn(one, path);
  for (const [name, one] of Object.entries(shape.properties ?? {})) yield* pathsIn(one, [...path, name]);
  if (shape.items !== undefined) yield* pathsIn(shape.items, [...path, '0']);
  if (typeof shape.additionalProperties === 'object')
    yield* pathsIn(shape.additionalProperties, [...path, 'k']);
}

function valueAt([name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  return name === '0' ? [valueAt(rest, value)] : { [name]: valueAt(rest, value) };
}

interface Finding {
  message: string;
  fix: string;
}

function findingsOf(schema: z.ZodType, value: unknown): Finding[] {
  try {
    parseInput(schema, value, 'body');
    return [];
  } catch (error) {
    return (error as { errors: Finding[] }).errors;
  }
}

const WRONG = ['', 'no such thing', '\0', '2026-01-01T00:00:00', -1, 0.5, 1e300, true, null, [], [null], {}];

test.each(routes.map((route): [string, Route] => [`${route.method} ${route.path}`, route]))(
  '%s',
  (_, route) => {
    for (const schema of [route.body, route.query, route.params]) {
      if (schema === undefined) continue;
      const shape = z.toJSONSchema(schema, {
        io: 'input',
        unrepresentable: 'any',
        reused: 'inline',
      }) as Shape;
      for (const path of pathsIn(shape)) {
        for (const wrong of WRONG)
          for (const { message, fix } of findingsOf(schema, valueAt(path, wrong))) {
            expect(`${path.join('/')}: ${message}`).toMatch(/: (?:[a-z]|\/|with )/);
            expect(`${path.join('/')}: ${message}. ${fix}`).not.toMatch(/as the API reference describes it/);
          }
      }
    }
  },
);
