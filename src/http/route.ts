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

/** Kinds of access, with the `principal` that the handler receives. */
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
  /** A session with the query's organization and environment; the member's role is enforced. */
  operator: OperatorPrincipal;
}
export type Access = keyof Principals;

/** A parsed, authenticated call, as passed to a handler. */
export interface Call<Params, Query, Body, Principal> {
  params: Params;
  query: Query;
  body: Body;
  principal: Principal;
  /** Set if the route declares `idempotencyKey`; null only if that is 'optional' and no key was sent. */
  idempotency: { key: string; fingerprint: Buffer } | null;
  /**
   * Reads the raw body, if the route declares `rawBody`, so that the handler can refuse a request before reading it.
   * @throws TollgateError body_too_large, body_incomplete, request_timeout
   */
  readBytes: () => Promise<Buffer>;
  /** Reads the body's elements, if the route declares `listBody`. @throws TollgateError those of `readElements` */
  readElements: () => Promise<Buffer[]>;
  /** Authenticates the caller again, for a long response. @throws what the route's access throws if revoked */
  reauthenticate: () => Promise<void>;
  /** Builds the problem for a failure of one part of the request, if parts are answered individually. */
  problemOf: (failure: unknown) => ProblemAnswer;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The charge of the route's `admission`; undefined if it has none. */
  charge: Charge | undefined;
  /** Header names and values alternating, as received. */
  rawHeaders: readonly string[];
  requestId: string;
  /** The caller's address. */
  ip: string;
}

/** A handler's answer. `body` is sent as JSON; a string is JSON already and sent unchanged. */
export interface Reply {
  status: number;
  body?: unknown;
  headers?: Record<string, string | string[]>;
  /** Writes an open-ended answer instead of `body`; resolves once it has started. */
  stream?: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

type Schema = z.ZodType;
export type Output<S> = S extends z.ZodType ? z.output<S> : undefined;

/** One route: its input and output, used for validation, documentation and the handler's types. */
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
  /** The minimum role, for `operator` routes. */
  role?: Role;
  /** The minimum role in production, if it is higher there: for what reaches real customers or real money. */
  roleInProduction?: Role;
  /** Requires operators with a second factor to confirm it again if the last confirmation is too old. */
  stepUp?: StepUp;
  /** The scopes that the key needs, for `apiKey` routes. */
  scopes?: RequiredScope;
  params?: P;
  query?: Q;
  body?: B;
  /** An example body that works with the demo data, for the reference. */
  example?: Readonly<Record<string, unknown>>;
  /** The handler reads the raw bytes, whatever their Content-Type, because a signature covers them. */
  rawBody?: true;
  /** The body is a list whose elements the handler reads and validates one by one. */
  listBody?: ListBody;
  /** Rate limit, checked first. */
  admission?: Admission;
  /** Limit of the body; defaults to `ORDINARY_BODY`. */
  bodyLimit?: BodyLimit;
  /**
   * False disables compression: on the hot path, and if an answer holds a secret, because the compressed length reveals
   * something about it to a caller who controls the text next to it.
   */
  compress?: false;
  /** The answer has an ETag, and a matching `If-None-Match` is answered with 304. */
  conditional?: true;
  /** True for a hot-path route served without Koa: it has no parameters and no query, and answers JSON text. */
  direct?: true;
  idempotencyKey?: 'required' | 'optional';
  /** Shape of each success, by status. */
  responses: Record<
    number,
    {
      description: string;
      schema?: Schema;
      contentType?: string;
      /** A further content type with the same schema. */
      otherType?: string;
      /** The answer has a `Location` for what is in progress. */
      location?: true;
    }
  >;
  /** Codes that this route adds to those of its access and input. */
  errors?: readonly ErrorCode[];
  /**
   * Members that problems of a status have in addition to the common ones, by status; optional ones are declared so.
   */
  problemMembers?: Record<number, z.ZodObject>;
  handle: (call: Call<Output<P>, Output<Q>, Output<B>, Principals[A]>) => Promise<Reply>;
}

/** A route with checked types that can be put in a list with others. */
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
