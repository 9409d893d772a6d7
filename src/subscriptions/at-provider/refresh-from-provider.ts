import type { ConnectedProvider } from '../../connections/connected-providers';
import type { DbTransaction } from '../../db/pools';
import { inWorkspace } from '../../db/workspace-transaction';
import { isTollgateError } from '../../domain/errors';
import type { Instant } from '../../domain/instant';
import type { SubscriptionFacts } from '../../providers/canonical-event';
import type { Outcome } from '../../providers/outcome';
import type { ProviderAdapter } from '../../providers/provider-adapter';
import type { WorkspaceScope } from '../../tenancy/actor';
import { StaleFactsError } from './reconciler';
import type { BilledSubscription } from '../billed-subscription';
import { findBilledSubscription } from '../billed-subscription-store';
import { UnknownOutcomeError } from './unknown-outcome-error';
import { readPayments } from './read-payments';
import type { ProviderSide } from './resolve-pending-call';

/** Maximum number of readings when the row keeps changing concurrently. */
const ATTEMPTS = 5;

interface Refresh {
  subscriptionId: string;
  /** The workspace's time. */
  at: Instant;
  /** Whether this is the last attempt. */
  isLast: boolean;
}

/** Why a reading failed. */
export type ReadingFailure = Exclude<Outcome<SubscriptionFacts>, { kind: 'done' | 'pending' }>;

/**
 * Reads a subscription and its charges at its provider and records them as their webhooks would. Then runs the caller's
 * step in the subscription's transaction.
 *
 * @param after runs under the row's lock; `failure` says why nothing could be read
 * @throws UnknownOutcomeError when the provider did not answer and this was not the last attempt
 */
export async function refreshFromProvider(
  side: ProviderSide,
  scope: WorkspaceScope,
  refresh: Refresh,
  after: (
    trx: DbTransaction,
    subscription: BilledSubscription,
    failure: ReadingFailure | null,
    recordedAt: Instant,
  ) => Promise<void>,
): Promise<void> {
  const { database, clock, reconciler } = side;
  const { subscriptionId, at } = refresh;
  const finish = async (
    trx: DbTransaction,
    failure: ReadingFailure | null,
    recordedAt: Instant,
  ): Promise<void> => {
    const locked = await findBilledSubscription(trx, scope, subscriptionId, 'lock');
    if (locked !== undefined) await after(trx, locked, failure, recordedAt);
  };
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const read = await readAtProvider(side, scope, refresh, { charges: attempt === 1 });
    if (read === undefined) return;
    if ('failure' in read) {
      await inWorkspace(database, scope, 'SYSTEM', (trx) => finish(trx, read.failure, clock.now()));
      return;
    }
    const { adapter, connectionId, facts, version } = read;
    const connection = { scope, id: connectionId, provider: adapter.provider };
    const seen = { subscriptionId, version };
    const reading = { subscription: facts, payment: null, references: [], seen };
    try {
      await inWorkspace(database, scope, 'SYSTEM', async (trx) => {
        const recordedAt = clock.now();
        await reconciler.applyReading(trx, connection, reading, { adapter, now: at, recordedAt });
        await finish(trx, null, recordedAt);
      });
      return;
    } catch (error) {
      if (!(error instanceof StaleFactsError)) throw error;
    }
  }
  throw new UnknownOutcomeError('the subscription keeps changing');
}

interface Read {
  adapter: ProviderAdapter;
  connectionId: string;
  facts: SubscriptionFacts;
  /** The row's version before the reading. */
  version: BilledSubscription['version'];
}

/**
 * Reads a subscription at its provider. Its charges are recorded in their own transactions before the local period
 * turns, so that a crash leaves them to be read.
 *
 * @returns undefined if there is no such subscription; or why it cannot be read
 * @throws UnknownOutcomeError
 */
async function readAtProvider(
  side: ProviderSide,
  scope: WorkspaceScope,
  { subscriptionId, isLast }: Refresh,
  { charges }: { charges: boolean },
): Promise<Read | { failure: ReadingFailure } | undefined> {
  const { database, connected } = side;
  const seen = await inWorkspace(database, scope, 'SYSTEM', (trx) =>
    findBilledSubscription(trx, scope, subscriptionId, 'read'),
  );
  if (seen === undefined) return undefined;
  const { connectionId, providerReference, version } = seen;
  if (connectionId === null || providerReference === null) {
    const reason = 'The payment provider has not confirmed the subscription yet.';
    return { failure: { kind: 'unsupported', reason } };
  }
  const opened = await openOrWhyNot(connected.open(scope, connectionId));
  if ('reason' in opened) return { failure: opened };
  const { adapter, access } = opened;
  const outcome = await adapter.fetchSubscription(access, providerReference);
  if (outcome.kind !== 'done' && outcome.kind !== 'pending') {
    if (outcome.kind === 'unknown' && !isLast) throw new UnknownOutcomeError(outcome.reason);
    return { failure: outcome };
  }
  if (charges) {
    const unread = await readPayments(side, opened, scope, seen, null);
    // If the last attempt cannot read them either, the next reading or the daily report does.
    if (unread?.kind === 'unknown' && !isLast) throw new UnknownOutcomeError(unread.reason);
  }
  return { adapter, connectionId, facts: outcome.value, version };
}

/**
 * Opens the connection. An operator must fix a disabled connection or a missing key; until then nothing can be read.
 */
async function openOrWhyNot(
  opening: Promise<ConnectedProvider>,
): Promise<ConnectedProvider | Extract<ReadingFailure, { kind: 'unsupported' }>> {
  try {
    return await opening;
  } catch (error) {
    if (isTollgateError(error)) return { kind: 'unsupported', reason: error.detail };
    throw error;
  }
}
