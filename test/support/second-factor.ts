import { Secret, TOTP } from 'otpauth';
import { createClient, testPassword, type OperatorClient } from './operator';
import type { TestService } from './service';

const none = { env: null } as const;
const STEP_MS = 30_000;

/** An operator's authenticator app: it holds the secret and uses the service's time. */
export class Authenticator {
  constructor(
    readonly secret: string,
    private readonly clock: TestService['clock'],
  ) {}

  /** Returns the code of the current time step, or of another one. */
  code(stepsFromNow = 0): string {
    const totp = new TOTP({ secret: Secret.fromBase32(this.secret) });
    return totp.generate({ timestamp: this.clock.now() + stepsFromNow * STEP_MS });
  }

  /** Advances the clock to the start of a time step, so that none ends during a test. */
  awaitStep(): void {
    this.clock.ahead += STEP_MS - (this.clock.now() % STEP_MS);
  }

  /** Advances the clock to the start of a step with an unused code. Returns the code, which stays valid for a while. */
  next(): string {
    this.clock.ahead += 2 * STEP_MS;
    this.awaitStep();
    return this.code();
  }
}

/** Enrols a second factor for an operator; the session has then just confirmed it. */
export async function enrol(
  service: Pick<TestService, 'clock'>,
  client: OperatorClient,
): Promise<{ app: Authenticator; recoveryCodes: string[] }> {
  const begun = await client.post('/api/auth/second-factor', { ...none, body: { password: testPassword } });
  const app = new Authenticator(String(begun.body['secret']), service.clock);
  const done = await client.post('/api/auth/second-factor/enrol', { ...none, body: { code: app.code() } });
  if (done.status !== 200) throw new Error(`The enrolment was answered ${done.status}.`);
  return { app, recoveryCodes: done.body['recoveryCodes'] as string[] };
}

/** Sends the first step of a log-in. */
export async function password(
  consoleUrl: string,
  email: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; token: string; cookies: string[] }> {
  const answer = await fetch(`${consoleUrl}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ email, password: testPassword }),
  });
  const body = (await answer.json()) as { secondFactor?: { token: string } };
  return {
    status: answer.status,
    token: body.secondFactor?.token ?? '',
    cookies: answer.headers.getSetCookie(),
  };
}

/** Sends the second step. `cookies`: those set by the response. */
export async function sendCode(
  consoleUrl: string,
  token: string,
  code: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; code: unknown; cookies: string[] }> {
  const answer = await fetch(`${consoleUrl}/api/auth/login/second-factor`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ token, code }),
  });
  const body = (await answer.json()) as { code?: unknown };
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  return { status: answer.status, code: body.code, cookies };
}

/** Opens another session of an operator with a second factor. */
export async function logInAgain(
  service: Pick<TestService, 'urls'>,
  client: OperatorClient,
  code: string,
): Promise<OperatorClient> {
  const { token } = await password(service.urls.console, client.email);
  const { status, cookies } = await sendCode(service.urls.console, token, code);
  if (status !== 200) throw new Error(`The log-in was answered ${status}.`);
  return createClient(service.urls.console, { ...client, cookie: cookies[0] ?? '' });
}
