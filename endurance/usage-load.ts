import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Integrator, type Answer } from '../test/support/integrator';

export const FEATURE = 'ai_tokens';
/** The users of each customer. */
export const ENTITIES = ['user_1', 'user_2', 'user_3'] as const;

/** An acknowledged use, and how much of it was reversed. */
export interface AcknowledgedUse {
  eventId: string;
  externalId: string;
  quantity: number;
  reversed: number;
}

/** The outcome of a reservation, as its caller knows it. */
export interface EndedReservation {
  id: string;
  status: 'confirmed' | 'released';
  eventId: string | null;
}

interface Target {
  urls: readonly string[];
  key: string;
  externalIds: readonly string[];
  /** Units that a customer may have used and reserved at any time. */
  limit: number;
}

/** Statuses from which the outcome of a request is certain. */
const CERTAIN = new Set([200, 201, 403]);
const AGAIN = new Set(['idempotency_key_in_use', 'rate_limited', 'service_busy', 'service_unavailable']);

/**
 * Sends tracks, batches, reservations and reversals, and follows each request until its outcome is known. Like an
 * integrator, it sends a request without an answer again with the same key.
 */
export class UsageLoad {
  readonly uses: AcknowledgedUse[] = [];
  readonly reservations: EndedReservation[] = [];
  readonly counted = { 'sent again': 0, refused: 0, batches: 0, 'taken back': 0, reserved: 0 };
  private readonly toReverse: AcknowledgedUse[] = [];
  private readonly apis: readonly Integrator[];

  constructor(private readonly target: Target) {
    this.apis = target.urls.map((url) => new Integrator(url, target.key));
  }

  /** Sends one request of a random kind, and its follow-ups. */
  async next(): Promise<void> {
    const kind = randomInt(10);
    if (kind < 4) await this.track();
    else if (kind < 6) await this.batch();
    else if (kind < 8) await this.reserve();
    else await this.reverse();
  }

  private async track(): Promise<void> {
    const event = this.event();
    const answer = await this.untilCertain((api) =>
      api.track(event.externalId, FEATURE, event.quantity, event.idempotencyKey, { entity: event.entity }),
    );
    this.acknowledge(event, answer.status, answer.body);
  }

  /** Sends a batch. Items once recorded must appear as recorded in the answer of every retry. */
  private async batch(): Promise<void> {
    const events = Array.from({ length: randomInt(2, 60) }, () => this.event());
    // A key may occur twice: it is counted once.
    const first = events[0];
    if (first !== undefined && randomInt(2) === 0) events.push(first);
    const known = new Map<string, unknown>();
    const results = await this.untilKnown(async (api) => {
      const { status, body } = await api.send('POST', '/v1/usage/batch', { events });
      if (status !== 200) return undefined;
      const outcomes = body['results'] as {
        idempotencyKey: string;
        status: number;
        answer?: Record<string, unknown>;
      }[];
      for (const { idempotencyKey, answer } of outcomes) {
        if (answer === undefined) continue;
        const eventId = known.get(idempotencyKey) ?? answer['eventId'];
        known.set(idempotencyKey, eventId);
        if (eventId !== answer['eventId']) throw new Error(`The key ${idempotencyKey} made two events.`);
      }
      return outcomes.every((one) => CERTAIN.has(one.status)) ? outcomes : undefined;
    });
    this.counted.batches += 1;
    new Set(events).forEach((event) => {
      const outcome = results.findLast(({ idempotencyKey }) => idempotencyKey === event.idempotencyKey);
      this.acknowledge(event, outcome?.status ?? 0, outcome?.answer ?? {});
    });
  }

  /** Reserves units, then confirms them or more than them, releases them, or lets them expire. */
  private async reserve(): Promise<void> {
    const { externalId, quantity, idempotencyKey, entity } = this.event();
    const expiresInSeconds = randomInt(2) === 0 ? 1 : 3_600;
    const body = { externalId, feature: FEATURE, quantity, entity, reserve: { expiresInSeconds } };
    const send = this.any().send('POST', '/v1/usage/check', body);
    const held = await send.catch(() => undefined);
    // A check is not sent again: without an answer, its units are held until they expire.
    if (held?.status !== 200 || held.body['allowed'] !== true) return;
    this.expectWithinLimit(held.body);
    this.counted.reserved += 1;
    const id = String(held.body['reservationId']);
    if (randomInt(3) === 0) {
      const released = await this.untilCertain((api) => api.send('DELETE', `/v1/usage/reservations/${id}`));
      if (released.status !== 200) throw new Error(`${id} was not given back: ${released.text}`);
      const status = released.body['status'];
      if (status === 'released') this.reservations.push({ id, status, eventId: null });
      return;
    }
    const used = Math.max(1, quantity + randomInt(-3, 3));
    const answer = await this.untilCertain((api) =>
      api.track(externalId, FEATURE, used, idempotencyKey, { reservationId: id, entity }),
    );
    if (answer.status === 403 && used <= quantity && expiresInSeconds > 1)
      throw new Error(`${id} held nothing: ${answer.text}`);
    const eventId = this.acknowledge({ externalId, quantity: used }, answer.status, answer.body);
    if (eventId !== undefined) this.reservations.push({ id, status: 'confirmed', eventId });
  }

  private async reverse(): Promise<void> {
    const [use] = this.toReverse.splice(randomInt(Math.max(1, this.toReverse.length)), 1);
    if (use === undefined) return;
    const quantity = randomInt(2) === 0 ? use.quantity : randomInt(1, use.quantity + 1);
    const key = { 'Idempotency-Key': randomUUID() };
    const path = `/v1/usage/events/${use.eventId}/reverse`;
    const { status, text } = await this.untilCertain((api) =>
      api.send('POST', path, { reason: 'killed', quantity }, key),
    );
    if (status !== 201) throw new Error(`${use.eventId} was not taken back: ${text}`);
    use.reversed = quantity;
    this.counted['taken back'] += 1;
  }

  private event() {
    const { externalIds } = this.target;
    return {
      idempotencyKey: randomUUID(),
      externalId: externalIds[randomInt(externalIds.length)] ?? '',
      feature: FEATURE,
      entity: ENTITIES[randomInt(ENTITIES.length)] ?? ENTITIES[0],
      quantity: randomInt(1, 8),
    };
  }

  private acknowledge(
    { externalId, quantity }: Pick<AcknowledgedUse, 'externalId' | 'quantity'>,
    status: number,
    body: Record<string, unknown>,
  ): string | undefined {
    if (status !== 200) {
      this.counted.refused += 1;
      return undefined;
    }
    this.expectWithinLimit(body);
    const use = { eventId: String(body['eventId']), externalId, quantity, reversed: 0 };
    this.uses.push(use);
    this.toReverse.push(use);
    return use.eventId;
  }

  private expectWithinLimit({ usage, reserved, externalId }: Record<string, unknown>): void {
    if (Number(usage) + Number(reserved) <= this.target.limit) return;
    throw new Error(
      `${String(externalId)} has used ${String(usage)} and reserved ${String(reserved)}: more than its limit.`,
    );
  }

  /** Repeats a request until its answer reveals the outcome. @throws Error for an answer that makes no sense */
  private untilCertain(send: (api: Integrator) => Promise<Answer>): Promise<Answer> {
    return this.untilKnown(async (api) => {
      const answer = await send(api);
      if (CERTAIN.has(answer.status)) return answer;
      if (answer.status >= 500 || AGAIN.has(String(answer.body['code']))) return undefined;
      throw new Error(`Answered ${answer.status}: ${answer.text}`);
    });
  }

  private async untilKnown<Known>(send: (api: Integrator) => Promise<Known | undefined>): Promise<Known> {
    for (;;) {
      const known = await send(this.any()).catch((error: unknown) => {
        // A broken connection says nothing about the request.
        if (error instanceof TypeError || error instanceof SyntaxError) return undefined;
        throw error;
      });
      if (known !== undefined) return known;
      this.counted['sent again'] += 1;
      await pause(randomInt(20, 100));
    }
  }

  private any(): Integrator {
    const api = this.apis[randomInt(this.apis.length)];
    if (api === undefined) throw new Error('There is no API process.');
    return api;
  }
}
