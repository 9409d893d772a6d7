import type { z } from 'zod';
import type { RequiredScope } from '../domain/key-scopes';
import type { StepUp } from '../domain/second-factor';
import type { Role } from '../operators/roles';
import type { Actor } from '../tenancy/actor';
import type { ApiKeyPrincipal, OperatorPrincipal } from './principals';
import type { Call, Output, Reply, Route, RouteDefinition } from './route';
import { workspaceRoute } from './workspace-route';

type Schema = z.ZodType;

/** A route of both hosts: for operators, and for applications with a secret key. */
export interface MountedRoute {
  console: Route;
  v1?: Route;
}

type MountedCall<P, Q, B, K> = Call<
  Output<P> | (K extends Schema ? Output<K> : never),
  Output<Q>,
  Output<B>,
  OperatorPrincipal | ApiKeyPrincipal
>;

type Handler<C> =
  | { answer: (actor: Actor, call: C) => Promise<unknown> }
  | { handle: (actor: Actor, call: C) => Promise<Reply> };

interface Mounts<K> {
  /** The path for operators. */
  console: { path: string; role: Role; roleInProduction?: Role; stepUp?: StepUp; note?: string };
  /**
   * The path for keys; left out, keys cannot call it. Set `params` if the path's parameters differ from the console's.
   */
  v1?: { path: string; scopes: RequiredScope; note?: string; params?: K };
}

/**
 * Declares a route once for both principals: one schema, one handler, one set of errors. `note` is added to the
 * description of one host only.
 */
export function mountedRoute<
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
  K extends Schema | undefined = undefined,
>(
  definition: Omit<
    RouteDefinition<'operator', P, Q, B>,
    'handle' | 'access' | 'path' | 'role' | 'roleInProduction' | 'stepUp' | 'scopes'
  > &
    Mounts<K> &
    Handler<MountedCall<P, Q, B, K>>,
): MountedRoute {
  const { console: operators, v1: keys, ...shared } = definition;
  // Each host's route gets one of the two principals that the handler takes.
  const declare = workspaceRoute as (route: object) => Route;
  const described = (note: string | undefined): { description?: string } => {
    const parts = [shared.description, note].filter((part) => part !== undefined);
    return parts.length === 0 ? {} : { description: parts.join(' ') };
  };
  const { note, ...operatorsOnly } = operators;
  const mounted = {
    console: declare({ ...shared, ...described(note), ...operatorsOnly, access: 'operator' }),
  };
  if (keys === undefined) return mounted;
  const params = keys.params === undefined ? {} : { params: keys.params };
  const { path: keyPath, scopes } = keys;
  const v1 = declare({
    ...shared,
    ...params,
    ...described(keys.note),
    access: 'apiKey',
    path: keyPath,
    scopes,
  });
  return { ...mounted, v1 };
}

/** Returns the console host's routes. */
export function consoleMounts(routes: readonly MountedRoute[]): Route[] {
  return routes.map((route) => route.console);
}

/** Returns the API hosts' routes. */
export function keyMounts(routes: readonly MountedRoute[]): Route[] {
  return routes.flatMap((route) => route.v1 ?? []);
}
