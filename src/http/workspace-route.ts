import type { z } from 'zod';
import type { Actor } from '../tenancy/actor';
import { route, type Call, type Output, type Principals, type Reply } from './route';
import type { Route, RouteDefinition } from './route';

type Schema = z.ZodType;
type WorkspaceAccess = 'apiKey' | 'operator' | 'portal';
type WorkspaceCall<A extends WorkspaceAccess, P, Q, B> = Call<Output<P>, Output<Q>, Output<B>, Principals[A]>;

type Handler<A extends WorkspaceAccess, P, Q, B> =
  | {
      /** Returns the body of the only success in `responses`. */
      answer: (actor: Actor, call: WorkspaceCall<A, P, Q, B>) => Promise<unknown>;
    }
  | {
      /** Returns the whole reply, if the status or the headers depend on the outcome. */
      handle: (actor: Actor, call: WorkspaceCall<A, P, Q, B>) => Promise<Reply>;
    };

/**
 * Declares a route that acts in one workspace: its handler receives the actor, whose `now` is the workspace's time.
 *
 * @throws Error at startup, if a route with `answer` declares several successes
 */
export function workspaceRoute<
  A extends WorkspaceAccess,
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
>(definition: Omit<RouteDefinition<A, P, Q, B>, 'handle'> & Handler<A, P, Q, B>): Route {
  if ('handle' in definition) {
    const { handle } = definition;
    return route({
      ...definition,
      handle: async (call: WorkspaceCall<A, P, Q, B>) => handle(await call.principal.actor(), call),
    });
  }
  const { answer, ...described } = definition;
  const status = onlyStatus(described);
  return route({
    ...described,
    handle: async (call: WorkspaceCall<A, P, Q, B>) => ({
      status,
      body: await answer(await call.principal.actor(), call),
    }),
  });
}

function onlyStatus({ operationId, responses }: Pick<RouteDefinition, 'operationId' | 'responses'>): number {
  const [status, ...others] = Object.keys(responses);
  if (status === undefined || others.length > 0)
    throw new Error(`${operationId} declares no single success.`);
  return Number(status);
}
