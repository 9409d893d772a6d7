import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { KeyRing } from '../credentials/key-ring';
import type { Database } from '../db/pools';
import { shareSlots, type SlotLimits } from '../domain/webhook-slots';
import type { RenderMessages } from '../webhook-messages/render-message';
import { aFewAtOnce } from './a-few-at-once';
import type { AttemptsUnderWay } from './attempts-under-way';
import { createCanceller } from './cancel-disabled';
import { findDueEndpoints, type FoundEndpoint } from './due-store';
import { makeAttempt, type AttemptDependencies } from './make-attempt';
import { createOpenSecrets } from './opened-secrets';
import { renderTogether } from './render-together';
import { claimOutgoing } from './outgoing-store';
import { recordResults } from './record-results';
import { queueResends } from './resend-batches';
import { createResultRecorder } from './result-recorder';

export interface DelivererOptions extends Omit<AttemptDependencies, 'openSecrets'> {
  keyRing: KeyRing;
  renderMany: RenderMessages;
  database: Database;
  limits: SlotLimits;
  underWay: AttemptsUnderWay;
  log: Logger;
}

/**
 * How long a delivery is this process's: an attempt, and time to write what came of it. When it has ended without that,
 * another process takes the delivery.
 */
const LEASE_MS = 30_000;
/**
 * Between two looks, so that what comes meanwhile is taken together; and where an endpoint has more than it was dealt
 * slots for.
 */
const LOOK_MS = 200;
const BEHIND_MS = 20;
/** After a failure of the database. */
const FAILED_MS = 1_000;
const RESENDS_MS = 1_000;
/** How long attempts may go on when the process stops; what is cut off is sent again. */
const STOP_MS = 10_000;
/** Endpoints that are looked at in one round. */
const PAGE = 500;
/** Tenants whose deliveries are taken at the same time: more at once would take Postgres from those who ask it for answers. */
const TAKEN_AT_ONCE = 2;
/** After each. */
const LONGEST_REST_MS = 20;

/**
 * Sends what is due until the process stops. No transaction is open while a request is under way: a delivery is taken by
 * its lease, sent, and its result written by itself.
 */
export async function runDeliverer(options: DelivererOptions, stopping: AbortSignal): Promise<void> {
  const { database, clock, underWay, log } = options;
  const recorder = createResultRecorder(
    (scope, finished) => recordResults(database, scope, finished, clock.now()),
    log,
  );
  const dependencies = { ...options, openSecrets: createOpenSecrets(options.keyRing) };
  const canceller = createCanceller(options);
  let after = '';
  let last = '';
  /** @returns how long to wait before the next look */
  const beginSome = async (): Promise<number> => {
    if (underWay.total >= options.limits.total) return LOOK_MS;
    const at = clock.now();
    const { endpoints, next } = await findDueEndpoints(database, { at, after, atMost: PAGE });
    after = next;
    canceller.begin(endpoints.filter(({ isDisabled }) => isDisabled));
    const due = rotated(
      endpoints.filter(({ isDisabled }) => !isDisabled),
      last,
    );
    const shares = shareSlots(due, underWay, options.limits);
    last = [...shares.keys()].at(-1) ?? last;
    const tenants = byTenant(due.filter(({ endpointId }) => shares.has(endpointId)));
    // Spread, so that those who share the machine wait for no burst of all of them.
    const rest = Math.min(LONGEST_REST_MS, LOOK_MS / tenants.length);
    const begun = await aFewAtOnce(tenants, TAKEN_AT_ONCE, async (endpoints) => {
      const wait = await deliver(endpoints, shares);
      await pause(rest, undefined, { signal: stopping }).catch(() => undefined);
      return wait;
    });
    return Math.min(LOOK_MS, ...begun);
  };

  /** Takes what is due of one tenant's endpoints, and begins to send it. @returns as above */
  const deliver = async (
    [first, ...others]: Tenant,
    allShares: ReadonlyMap<string, number>,
  ): Promise<number> => {
    const { workspaceId, environment } = first;
    const scope = { workspaceId, environment };
    const ids = [first, ...others].map(({ endpointId }) => endpointId);
    const shares = new Map(ids.map((id) => [id, allShares.get(id) ?? 0]));
    // The lease begins now: other tenants were before this one.
    const at = clock.now();
    const { endpoints, claimed } = await claimOutgoing(database, scope, { at, lease: at + LEASE_MS, shares });
    const texts = await renderTogether(options.renderMany, scope, claimed, log);
    for (const one of claimed) {
      const endpoint = endpoints.get(one.endpointId);
      if (endpoint === undefined) continue;
      const delivery = { ...one, payload: one.payload ?? texts.get(one.messageId) ?? null };
      underWay.begin(delivery);
      void makeAttempt(dependencies, delivery, endpoint)
        .then((finished) => {
          recorder.add(scope, finished);
        })
        .finally(() => {
          underWay.end(delivery);
        });
    }
    if (claimed.length === 0) return LOOK_MS;
    const taken = (id: string): number => claimed.filter(({ endpointId }) => endpointId === id).length;
    const isBehind = [...shares].some(([id, share]) => share > 1 && taken(id) === share);
    return isBehind ? BEHIND_MS : LOOK_MS;
  };

  const queueing = every(RESENDS_MS, stopping, log, () => queueResends(database, clock.now()));
  await every(0, stopping, log, async () => {
    await pause(await beginSome(), undefined, { signal: stopping }).catch(() => undefined);
  });
  await queueing;
  await Promise.race([underWay.none(), pause(STOP_MS, undefined, { ref: false })]);
  await canceller.idle();
  await recorder.flush();
}

/** Again and again until the process stops; a failure is logged, and waited over. */
async function every(
  milliseconds: number,
  stopping: AbortSignal,
  log: Logger,
  work: () => Promise<unknown>,
): Promise<void> {
  while (!stopping.aborted) {
    const wait = await work().then(
      () => milliseconds,
      (error: unknown) => {
        log.error({ err: error }, 'the delivery of webhooks failed and is tried again');
        return FAILED_MS;
      },
    );
    await pause(wait, undefined, { signal: stopping }).catch(() => undefined);
  }
}

/** The endpoints in their order, those after the one that was served last first: everybody has a turn. */
function rotated(due: readonly FoundEndpoint[], last: string): FoundEndpoint[] {
  const later = due.filter(({ endpointId }) => endpointId > last);
  return [...later, ...due.filter(({ endpointId }) => endpointId <= last)];
}

/** Endpoints of one workspace's environment, one at least. */
type Tenant = [FoundEndpoint, ...FoundEndpoint[]];

function byTenant(endpoints: readonly FoundEndpoint[]): Tenant[] {
  const tenants = new Map<string, Tenant>();
  for (const endpoint of endpoints) {
    const key = `${endpoint.workspaceId} ${endpoint.environment}`;
    const tenant = tenants.get(key);
    if (tenant === undefined) tenants.set(key, [endpoint]);
    else tenant.push(endpoint);
  }
  return [...tenants.values()];
}
