import { randomBytes } from 'node:crypto';
import type { Database } from '../db/pools';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { findOperatorByEmail, lockOperator } from '../operators/operator-store';
import { hashPassword } from '../operators/password';
import { assertPasswordAllowed } from '../operators/password-policy';
import { recordEverywhere } from '../organizations/record-everywhere';
import { resetAccount, type ResetEffect } from './reset-account';

/**
 * Resets an operator's account on behalf of the installation's administrator, whatever organizations it belongs to: the
 * way back for an organization's only owner and for platform administrators.
 *
 * @param input.password `keep`, `generate`, or a new one
 * @throws TollgateError operator_not_found, validation_failed for a weak password
 */
export async function resetOperator(
  database: Database,
  input: { email: string; password: 'keep' | 'generate' | { chosen: string }; now: Instant },
): Promise<ResetEffect & { operatorId: string; generatedPassword: string | null }> {
  const { email, now } = input;
  const found = await findOperatorByEmail(database, email);
  if (found === undefined)
    throw new TollgateError('operator_not_found', `No operator has the e-mail address ${email}.`);
  const { id: operatorId } = found;
  const generatedPassword = input.password === 'generate' ? randomBytes(18).toString('base64url') : null;
  const password = typeof input.password === 'object' ? input.password.chosen : generatedPassword;
  if (password !== null) assertPasswordAllowed(password, email, '/password');
  const passwordHash = password === null ? null : await hashPassword(email, password);
  const effect = await database.transaction(async (trx) => {
    await lockOperator(trx, operatorId);
    const done = await resetAccount(trx, operatorId, passwordHash, now);
    const detail = { ...done, passwordChanged: passwordHash !== null };
    const action = 'operator.reset';
    await recordEverywhere(trx, { operatorId, action, detail, ip: null, now, by: null, reason: 'SYSTEM' });
    return done;
  });
  return { operatorId, ...effect, generatedPassword };
}
