import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { KeyRing } from '../credentials/key-ring';
import { classifyFailure } from '../db/failure';
import type { Database } from '../db/pools';
import { LEASE_MS } from '../domain/webhook-schedule';
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
 * Time between two polls, so that deliveries that become due in between are claimed together. `BEHIND_MS` applies if an
 * endpoint has more due than the slots it was given.
 */
const POLL_MS = 200;
const BEHIND_MS = 20;
/** Wait after a database failure. */
const FAILED_MS = 1_000;
const RESENDS_MS = 1_000;
/** How long attempts may continue when the process stops. Interrupted ones are sent again. */
const STOP_MS = 10_000;
/** Endpoints examined in one round. */
const PAGE = 500;
/**
 * Tenants whose deliveries are claimed at the same time. A higher number would take Postgres capacity from API
 * requests.
 */
const TAKEN_AT_ONCE = 2;
/** Longest pause after each tenant. */
const MAX_REST_MS = 20;

/**
 * Sends due deliveries until the process stops. No transaction is open while a request is in flight: a delivery is
 * claimed by its lease, sent, and its result written separately.
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
  /** @returns how long to wait before the next poll (ms) */
  const beginSome = async (): Promise<number> => {
    if (underWay.total >= options.limits.total) return POLL_MS;
    const at = clock.now();
    const { endpoints, next } = await findDueEndpoints(database, { at, after, limit: PAGE });
    after = next;
    canceller.begin(endpoints.filter(({ isDisabled }) => isDisabled));
    const due = rotated(
      endpoints.filter(({ isDisabled }) => !isDisabled),
      last,
    );
    const shares = shareSlots(due, underWay, options.limits);
    last = [...shares.keys()].at(-1) ?? last;
    const tenants = byTenant(due.filter(({ endpointId }) => shares.has(endpointId)));
    // Spread out, so that processes that share the machine do not wait for one burst of all tenants.
    const rest = Math.min(MAX_REST_MS, POLL_MS / tenants.length);
    const failures: unknown[] = [];
    const begun = await aFewAtOnce(tenants, TAKEN_AT_ONCE, async (endpoints) => {
      // A tenant whose deliveries cannot be claimed does not hold up the others. Without a connection, all would fail.
      const wait = await deliver(endpoints, shares).catch((error: unknown) => {
        if (classifyFailure(error) === 'connection') throw error;
        failures.push(error);
        return POLL_MS;
      });
      await pause(rest, undefined, { signal: stopping }).catch(() => undefined);
      return wait;
    });
    if (failures.length > 0) throw failures[0];
    return Math.min(POLL_MS, ...begun);
  };

  /** Claims due deliveries of one tenant's endpoints and starts to send them. @returns as above */
  const deliver = async (
    [first, ...others]: Tenant,
    allShares: ReadonlyMap<string, number>,
  ): Promise<number> => {
    const { workspaceId, environment } = first;
    const scope = { workspaceId, environment };
    const ids = [first, ...others].map(({ endpointId }) => endpointId);
    const shares = new Map(ids.map((id) => [id, allShares.get(id) ?? 0]));
    // The lease starts now, because claiming for earlier tenants took time.
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
    if (claimed.length === 0) return POLL_MS;
    const taken = (id: string): number => claimed.filter(({ endpointId }) => endpointId === id).length;
    const isBehind = [...shares].some(([id, share]) => share > 1 && taken(id) === share);
    return isBehind ? BEHIND_MS : POLL_MS;
  };

  const queueing = every(RESENDS_MS, stopping, log, () => queueResends(database, clock, stopping));
  await every(0, stopping, log, async () => {
    await pause(await beginSome(), undefined, { signal: stopping }).catch(() => undefined);
  });
  await queueing;
  await Promise.race([underWay.none(), pause(STOP_MS, undefined, { ref: false })]);
  await canceller.idle();
  await recorder.flush();
}

/**
 * Repeats the work until the process stops. A failure is retried after a pause, and logged unless the attempt before
 * has failed for the same reason: an outage should not log a stack every second.
 */
async function every(
  milliseconds: number,
  stopping: AbortSignal,
  log: Logger,
  work: () => Promise<unknown>,
): Promise<void> {
  let logged: string | undefined;
  while (!stopping.aborted) {
    const wait = await work().then(
      () => {
        logged = undefined;
        return milliseconds;
      },
      (error: unknown) => {
        const reason = String(error);
        const level = reason === logged ? 'debug' : 'error';
        log[level]({ err: error }, 'the delivery of webhooks failed and is tried again');
        logged = reason;
        return FAILED_MS;
      },
    );
    await pause(wait, undefined, { signal: stopping }).catch(() => undefined);
  }
}

/** Returns the endpoints in order, starting after the one served last, so that every endpoint gets a turn. */
function rotated(due: readonly FoundEndpoint[], last: string): FoundEndpoint[] {
  const later = due.filter(({ endpointId }) => endpointId > last);
  return [...later, ...due.filter(({ endpointId }) => endpointId <= last)];
}

/** Endpoints of one workspace's environment; at least one. */
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
