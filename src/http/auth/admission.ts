import type { Charge } from '../../operators/login-throttle';

/**
 * Who may send a request at all, where nobody has to prove who they are. Asked before anything else of it is read, and
 * charged whatever it holds; what turns out well takes the charge back.
 *
 * @throws TollgateError login_throttled with the seconds to wait
 */
export type Admission = (request: {
  ip: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}) => Promise<Charge>;
