import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import type { ErrorCode } from '../domain/errors';
import type { RequiredScope } from '../domain/key-scopes';
import type { StepUp } from '../domain/second-factor';
import type { Admission } from './admission';
import type { BodyLimit } from './body-limit';
import type { ListBody } from './list-body';
import type { ProblemAnswer } from './problem-answer';
import type { ApiKeyPrincipal, OperatorPrincipal, PlatformPrincipal, PortalPrincipal } from './principals';
import type { Charge } from '../operators/login-throttle';
import type { Role } from '../operators/roles';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** What proves who calls, and what the handler then gets as `principal`. */
export interface Principals {
  public: null;
  /** An integrator's key, on the host of its environment. */
  apiKey: ApiKeyPrincipal;
  /** A customer's session, on the page of the host's environment (`/portal/api/*`). */
  portal: PortalPrincipal;
  /** A session alone, before an organization is chosen (`/api/auth/*`, `/api/organizations`). */
  session: PlatformPrincipal;
  /** A session whose operator is a platform administrator (`/api/admin/*`). */
  platformAdministrator: PlatformPrincipal;
  /** A session and the organization and environment of the query; the member's role is enforced. */
  operator: OperatorPrincipal;
}
export type Access = keyof Principals;

/** A parsed, authenticated call, as a handler sees it. */
export interface Call<Params, Query, Body, Principal> {
  params: Params;
  query: Query;
  body: Body;
  principal: Principal;
  /** Present where the route declares `idempotencyKey`; null only where that says 'optional'. */
  idempotency: { key: string; fingerprint: Buffer } | null;
  /**
   * Reads the body before any parser, where the route declares `rawBody`: its handler decides first whether it is
   * worth it. @throws TollgateError body_too_large, body_incomplete
   */
  readBytes: () => Promise<Buffer>;
  /**
   * Reads the body's elements, where the route declares `listBody`. @throws TollgateError as `readElements` says
   */
  readElements: () => Promise<Buffer[]>;
  /** The problem that this failure would be answered with, for a part of the request that is answered for itself. */
  problemOf: (failure: unknown) => ProblemAnswer;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** What the route's `admission` has charged; undefined where it has none. */
  charge: Charge | undefined;
  /** Names and values by turns, as they came. */
  rawHeaders: readonly string[];
  requestId: string;
  /** The caller's address. */
  ip: string;
}

/** What a handler answers. `body` is sent as JSON; a string is sent as it is (it is JSON already). */
export interface Reply {
  status: number;
  body?: unknown;
  headers?: Record<string, string | string[]>;
  /** Writes an answer that has no end of its own, in place of `body`; resolves once it is under way. */
  stream?: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

type Schema = z.ZodType;
export type Output<S> = S extends z.ZodType ? z.output<S> : undefined;

/** One route: what it takes and gives, for validation, for documentation and for the handler's types at once. */
export interface RouteDefinition<
  A extends Access = Access,
  P extends Schema | undefined = Schema | undefined,
  Q extends Schema | undefined = Schema | undefined,
  B extends Schema | undefined = Schema | undefined,
> {
  method: Method;
  /** OpenAPI style: `/api/plans/{id}`. */
  path: string;
  operationId: string;
  summary: string;
  description?: string;
  tag: string;
  access: A;
  /** The least role that may call, for `operator` routes. */
  role?: Role;
  /** Asks an operator for their second factor again, where they have one and it was confirmed too long ago. */
  stepUp?: StepUp;
  /** What the key must be allowed to do, for `apiKey` routes. */
  scopes?: RequiredScope;
  params?: P;
  query?: Q;
  body?: B;
  /** A body that the demo takes, for the reference. */
  example?: Readonly<Record<string, unknown>>;
  /** The handler takes the body's bytes, whatever their Content-Type: a signature is over these. */
  rawBody?: true;
  /** The body is a list, whose elements the handler reads and judges one by one. */
  listBody?: ListBody;
  /** Who may send anything here, asked first. */
  admission?: Admission;
  /** How large a body may be; left out, `ORDINARY_BODY`. */
  bodyLimit?: BodyLimit;
  /**
   * False disables compression: on the hot path, and where an answer holds a secret, because the compressed length
   * reveals something about it to a caller who controls the text beside it.
   */
  compress?: false;
  /** Its answer has an ETag, and `If-None-Match` with that is answered 304. */
  conditional?: true;
  /**
   * True for a route on the hot path, which is served without Koa: it has no parameter and no query, and answers JSON
   * text.
   */
  direct?: true;
  idempotencyKey?: 'required' | 'optional';
  /** Shape of each success, by status. */
  responses: Record<
    number,
    {
      description: string;
      schema?: Schema;
      contentType?: string;
      /** What else it may be, of the same schema. */
      otherType?: string;
      /** It has a `Location`, which says where to look for what is under way. */
      location?: true;
    }
  >;
  /** The codes that this route adds to those of its access and its input. */
  errors?: readonly ErrorCode[];
  /** Members that problems of a status have beside those of every problem, by status; optional ones as such. */
  problemMembers?: Record<number, z.ZodObject>;
  handle: (call: Call<Output<P>, Output<Q>, Output<B>, Principals[A]>) => Promise<Reply>;
}

/** A route whose types the compiler has checked and that can stand in one list with others. */
export type Route = Omit<RouteDefinition, 'handle'> & {
  handle: (call: Call<never, never, never, never>) => Promise<Reply>;
};

/** Declares a route; the handler's `params`, `query`, `body` and `principal` have the declared types. */
export function route<
  A extends Access,
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
>(definition: RouteDefinition<A, P, Q, B>): Route {
  return definition;
}
