import type { Logger } from 'pino';
import type { Clock } from '../clock/system-clock';
import type { KeyRing } from '../credentials/key-ring';
import type { Database } from '../db/pools';
import { createCodeProof, type CodeProof } from '../second-factor/code-proof';
import { createEndSession, type EndSession } from './end-session';
import { createLogin, createLogout, type Login } from './login';
import { createLoginThrottle } from './login-throttle';
import { createPasswordProof, type PasswordProof } from './password-proof';
import { createSessions, type Sessions } from './session-service';

/** The people who operate organizations: their log-in and their sessions. */
export interface Operators {
  sessions: Sessions;
  proof: PasswordProof;
  codeProof: CodeProof;
  login: Login;
  logout: ReturnType<typeof createLogout>;
  endSession: EndSession;
}

export function createOperators(dependencies: {
  database: Database;
  keyRing: KeyRing;
  clock: Clock;
  log: Logger;
}): Operators {
  const { database, clock, log } = dependencies;
  const sessions = createSessions(dependencies);
  const proof = createPasswordProof({ database, throttle: createLoginThrottle(database), clock, log });
  const codeProof = createCodeProof(dependencies);
  return {
    sessions,
    proof,
    codeProof,
    login: createLogin({ database, proof, codeProof, sessions, clock, log }),
    logout: createLogout({ database, sessions }),
    endSession: createEndSession({ database }),
  };
}
