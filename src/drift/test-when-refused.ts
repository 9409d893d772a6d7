import { findConnection } from '../connections/connection-store';
import { runConnectionTest, type ConnectionTesting } from '../connections/run-connection-test';
import { inWorkspace } from '../db/workspace-transaction';
import { needsTest, type ProviderAnswers } from '../domain/connection-test';
import { isTollgateError } from '../domain/errors';
import type { Actor } from '../tenancy/actor';

/**
 * Tests a connection and saves the result, as an operator would, if the report's answers contradict the last test: so
 * operators see that a key was revoked, and later that it works, without testing. One that was disabled or deleted
 * meanwhile is not tested.
 */
export async function testWhenRefused(
  testing: ConnectionTesting,
  who: Pick<Actor, 'scope' | 'reason' | 'receivedAt'>,
  connectionId: string,
  answers: ProviderAnswers,
): Promise<void> {
  const { scope, reason } = who;
  const connection = await inWorkspace(testing.database, scope, reason, (trx) =>
    findConnection(trx, scope, connectionId),
  );
  if (connection === undefined || !needsTest(answers, connection.failed_checks)) return;
  try {
    await runConnectionTest(testing, who, connectionId);
  } catch (error) {
    if (!isTollgateError(error)) throw error;
  }
}
