import type { SessionFactor } from '../domain/second-factor';
import type { Instant } from '../domain/instant';

/** An operator who acts on their own account, by a session. */
export interface AccountHolder {
  operatorId: string;
  email: string;
  sessionId: string;
  secondFactor: SessionFactor;
  ip: string;
  requestId: string;
  receivedAt: Instant;
}
