import type { Access, Principals, Route } from './route';

/** What becomes of a request's answer, known before the answer is. */
export interface PendingAnswer {
  /** Headers that it has whatever it says. */
  headers: Record<string, string>;
  /** Called when the request has been handled. */
  release: (() => void) | undefined;
}

/** What a request shows before it is parsed; authenticators decide on this. */
export interface Incoming {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  query: URLSearchParams;
  method: string;
  path: string;
  ip: string;
  requestId: string;
  answer: PendingAnswer;
}

/** Proves who calls, for each kind of access that a host offers; each throws a TollgateError or answers. */
export type Authenticators = {
  [A in Exclude<Access, 'public'>]?: (incoming: Incoming, route: Route) => Promise<Principals[A]>;
};
