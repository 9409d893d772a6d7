import type { Clock } from '../clock/system-clock';
import type { ConnectedProvider } from '../connections/connected-providers';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { DAY_MS, type Instant } from '../domain/instant';
import type { CollectedPayment, ListedDispute, RefundFacts } from '../providers/canonical-event';
import type { Outcome } from '../providers/outcome';
import { refusesCredentials } from '../providers/refused-credentials';
import type { ProviderReference } from '../providers/provider-operations';
import type { ConnectionRef } from '../connections/connection-ref';
import type { ImportContext, ImportResult, Reconciler } from '../subscriptions/at-provider/reconciler';
import { listOpenDisputes } from './dispute-store';
import { linkLateLines } from './settlement-late-lines';
import { listUnknownLines, saveFetched, type UnknownLine } from './settlement-named-line-store';

/**
 * How many were recorded without a webhook, how many lines belong to no known customer, and why something could not be
 * read; null if everything was.
 */
export interface Imported {
  imported: number;
  unattributed: number;
  reason: string | null;
}

/** What an import of a connection's money needs. */
export interface Importing {
  database: Database;
  clock: Clock;
  reconciler: Reconciler;
  connection: ConnectionRef;
  provider: ConnectedProvider;
  /** Id of the request that asked for it; null if there is none. */
  requestId: string | null;
}

/** Maximum number of lines fetched in one collection; the next one continues with the rest. */
const MOST = 200;
/** Number of consecutive unread lines or disputes after which the provider counts as not answering. */
const UNREAD_IN_A_ROW = 5;
/**
 * Time after a settlement was recorded here until its unknown lines are not fetched any more: they are none of ours.
 * Its period may be far older, if the provider's settlements could not be read for months.
 */
const UNKNOWN_MS = 180 * DAY_MS;
/** Disputes opened within this time are listed, and earlier ones if a known one is still open. */
const DISPUTES_MS = 120 * DAY_MS;
/** Every bank has decided by then. */
const OLDEST_DISPUTES_MS = 365 * DAY_MS;

/**
 * Fetches and records the payments, refunds and disputes that a connection's settlements name and that are unknown here
 * because their webhooks were lost; the settlements then count them. Lines without a customer here stay in the
 * settlement's difference. Also imports the disputes of recent months, because not every settlement names them.
 *
 * @param listed ids of the settlements that the provider listed, which another connection to its account may have
 *   recorded
 * @param now the provider's time
 */
export async function importUnknownMoney(
  importing: Importing,
  listed: readonly string[],
  now: Instant,
): Promise<Imported> {
  const found: Imported = { imported: 0, unattributed: 0, reason: null };
  const { database, connection } = importing;
  const unknown = await inWorkspace(database, connection.scope, 'SYSTEM', (trx) =>
    listUnknownLines(trx, connection, { listed, since: now - UNKNOWN_MS }, MOST),
  );
  let unread = 0;
  for (const line of unknown) {
    const { result: recorded, reason } = await importNamed(importing, line);
    await concludeLine(importing, line, recorded);
    unread = recorded === 'unread' ? unread + 1 : 0;
    found.reason ??= reason;
    // A single line may never be readable. A provider that does not answer is not asked for the rest.
    if (unread === UNREAD_IN_A_ROW) break;
    if (recorded === 'imported') found.imported += 1;
    if (recorded === 'unattributed') found.unattributed += 1;
  }
  const disputes = await importDisputes(importing, now);
  return {
    ...found,
    imported: found.imported + disputes.imported,
    reason: found.reason ?? disputes.reason,
  };
}

/**
 * Fetches the disputes of recent months, and records those that are unknown here.
 *
 * @param now the provider's time
 * @returns how many were new, and why they could not be read
 */
export async function importDisputes(
  importing: Importing,
  now: Instant,
): Promise<Pick<Imported, 'imported' | 'reason'>> {
  const found: Pick<Imported, 'imported' | 'reason'> = { imported: 0, reason: null };
  for await (const outcome of readDisputes(importing, now)) {
    for (const listed of valueOf(outcome) ?? []) {
      if (await importListedDispute(importing, listed)) found.imported += 1;
    }
    found.reason ??= unreadReason(outcome);
  }
  return found;
}

/**
 * Links the line to what was recorded. A webhook that recorded the line's payment concurrently did not see the
 * settlement, and the settlement did not see the payment.
 */
async function concludeLine(
  { database, clock, connection }: Importing,
  line: UnknownLine,
  recorded: ImportResult | 'unread',
): Promise<void> {
  await inWorkspace(database, connection.scope, 'SYSTEM', async (trx) => {
    if (recorded === 'known' || recorded === 'imported') await linkLateLines({ trx, connection }, [line]);
    await saveFetched(trx, connection.scope, line, clock.now());
  });
}

/**
 * Lists the disputes of recent months, and earlier ones if one is still open here. Where the list does not have all,
 * each open dispute that it lacks is fetched.
 */
async function* readDisputes(
  { database, connection, provider: { adapter, access } }: Importing,
  now: Instant,
): AsyncGenerator<Outcome<ListedDispute[]>> {
  const open = await inWorkspace(database, connection.scope, 'SYSTEM', (trx) =>
    listOpenDisputes(trx, connection.scope, connection.id, { since: now - OLDEST_DISPUTES_MS, limit: MOST }),
  );
  const recent = now - DISPUTES_MS;
  const earliest = adapter.fetchDispute === undefined ? open[0]?.openedAt : undefined;
  const listed = await adapter.listDisputes?.(access, Math.min(recent, earliest ?? recent));
  if (listed === undefined) return;
  yield listed;
  const known = valueOf(listed);
  if (adapter.fetchDispute === undefined || known === undefined) return;
  const seen = new Set(known.map(({ dispute }) => dispute.reference));
  let unread = 0;
  for (const { reference } of open) {
    if (seen.has(reference)) continue;
    const fetched = await adapter.fetchDispute(access, reference);
    yield 'value' in fetched ? { kind: 'done', value: [fetched.value] } : fetched;
    // As of the lines, a single one may never be readable.
    unread = fetched.kind === 'unknown' ? unread + 1 : 0;
    if (unread === UNREAD_IN_A_ROW) return;
  }
}

async function importNamed(
  importing: Importing,
  named: ProviderReference,
): Promise<{ result: ImportResult | 'unread'; reason: string | null }> {
  const { reconciler, connection, provider } = importing;
  const outcome = await provider.adapter.fetchCollected?.(provider.access, named);
  const collected = valueOf(outcome);
  if (collected !== undefined) {
    const context = importContextOf(importing);
    return { result: await reconciler.importPayment(context, connection, collected), reason: null };
  }
  const reason = unreadReason(outcome);
  return { result: reason === null ? 'unattributed' : 'unread', reason };
}

/** Returns why the provider could not be read: it did not answer, or refused the connection's credentials. */
export function unreadReason(outcome: Outcome<unknown> | undefined): string | null {
  if (outcome?.kind !== 'unknown' && outcome?.kind !== 'declined') return null;
  return outcome.kind === 'unknown' || refusesCredentials(outcome) ? outcome.reason : null;
}

/** Records a dispute, and its payment if that is unknown. @returns whether it is new */
async function importListedDispute(importing: Importing, listed: ListedDispute): Promise<boolean> {
  const { reconciler, connection } = importing;
  const context = importContextOf(importing);
  const known = await reconciler.importDispute(context, connection, listed);
  if (known !== 'unattributed') return known === 'imported';
  const of = listed.references.find(({ kind }) => kind === 'charge') ?? listed.dispute.of;
  if ((await importNamed(importing, of)).result !== 'imported') return false;
  return (await reconciler.importDispute(context, connection, listed)) !== 'unattributed';
}

/** Returns what the reconciler needs to record something. */
export function importContextOf({ database, clock, provider, requestId }: Importing): ImportContext {
  return { database, clock, adapter: provider.adapter, requestId };
}

export function valueOf<T extends CollectedPayment | ListedDispute[] | RefundFacts[]>(
  outcome: Outcome<T> | undefined,
): T | undefined {
  return outcome?.kind === 'done' || outcome?.kind === 'pending' ? outcome.value : undefined;
}
