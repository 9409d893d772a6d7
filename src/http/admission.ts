import type { Charge } from '../operators/login-throttle';

/**
 * Rate limit of an unauthenticated route. It runs before the request is read and charges it regardless of its content;
 * a success refunds the charge.
 *
 * @throws TollgateError login_throttled with the seconds to wait
 */
export type Admission = (request: {
  ip: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}) => Promise<Charge>;
