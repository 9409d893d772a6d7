import type { SessionFactor } from '../domain/second-factor';
import type { Instant } from '../domain/instant';

/** An operator acting on their own account through a session. */
export interface AccountHolder {
  operatorId: string;
  email: string;
  sessionId: string;
  secondFactor: SessionFactor;
  ip: string;
  requestId: string;
  receivedAt: Instant;
}
