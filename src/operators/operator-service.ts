import type { Logger } from 'pino';
import type { Clock } from '../clock/system-clock';
import type { Database } from '../db/pools';
import { createLogin, createLogout, createPasswordProof, type PasswordProof } from './login';
import { createLoginThrottle } from './login-throttle';
import type { ProvedPassword } from './operator-store';
import { createSessions, type Sessions } from './session-service';

/** The people who operate organizations: how they log in, and their sessions. */
export interface Operators {
  sessions: Sessions;
  proof: PasswordProof;
  login: ReturnType<typeof createLogin>;
  logout: ReturnType<typeof createLogout>;
  /** @throws TollgateError login_failed when the password was changed after it was proved */
  openSession(proved: ProvedPassword, from: Parameters<Sessions['open']>[2]): Promise<string>;
}

export function createOperators(dependencies: { database: Database; clock: Clock; log: Logger }): Operators {
  const { database, clock, log } = dependencies;
  const sessions = createSessions(dependencies);
  const proof = createPasswordProof({ database, throttle: createLoginThrottle(database), clock, log });
  return {
    sessions,
    proof,
    login: createLogin({ database, proof, sessions, clock, log }),
    logout: createLogout({ database, sessions }),
    openSession: (proved, from) => database.transaction((trx) => sessions.open(trx, proved, from)),
  };
}
