import type { Access, Principals, Route } from './route';

/** Parts of the answer that are known before the answer itself. */
export interface PendingAnswer {
  /** Headers set on every outcome. */
  headers: Record<string, string>;
  /** Called when the request has been handled. */
  release: (() => void) | undefined;
}

/** The part of a request that is available before parsing; authenticators decide on this. */
export interface Incoming {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  query: URLSearchParams;
  method: string;
  path: string;
  ip: string;
  requestId: string;
  answer: PendingAnswer;
}

/**
 * Authenticate the caller for each kind of access that a host offers; each returns a principal or throws a
 * TollgateError.
 */
export type Authenticators = {
  [A in Exclude<Access, 'public'>]?: (incoming: Incoming, route: Route) => Promise<Principals[A]>;
};
