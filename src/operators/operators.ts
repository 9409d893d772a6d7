import type { Logger } from 'pino';
import type { Clock } from '../clock/clock';
import type { Database } from '../db/pools';
import { createChangePassword } from './change-password';
import { createLogin, createPasswordProof, type PasswordProof } from './login';
import { createLoginThrottle } from './login-throttle';
import { createSessions, type Sessions } from './sessions';

/** The people who operate organizations: how they log in, and their sessions. */
export interface Operators {
  sessions: Sessions;
  proof: PasswordProof;
  login: ReturnType<typeof createLogin>;
  changePassword: ReturnType<typeof createChangePassword>;
}

export function createOperators(dependencies: { database: Database; clock: Clock; log: Logger }): Operators {
  const { database, log } = dependencies;
  const sessions = createSessions(dependencies);
  const proof = createPasswordProof({ database, throttle: createLoginThrottle(database), log });
  return {
    sessions,
    proof,
    login: createLogin({ proof, sessions, log }),
    changePassword: createChangePassword({ database, proof, sessions, log }),
  };
}
