import type { AccountHolder } from '../../account-security/account-holder';
import type { PlatformPrincipal } from '../principals';

/** Returns the account holder acting on their own account. */
export function accountHolder(call: {
  principal: PlatformPrincipal;
  ip: string;
  requestId: string;
}): AccountHolder {
  const { operatorId, email, sessionId, secondFactor, receivedAt } = call.principal;
  return { operatorId, email, sessionId, secondFactor, receivedAt, ip: call.ip, requestId: call.requestId };
}
