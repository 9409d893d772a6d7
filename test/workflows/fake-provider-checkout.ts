import { HOUR_MS } from '../../src/domain/instant';
import type {
  CheckoutActivities,
  CheckoutView,
  ProviderCheckoutActivities,
} from '../../workflows/activity-types';

type Made = 'made' | 'unknown' | 'refused' | Error;
type Found = 'open' | 'unknown' | 'paid' | Error;

/** Delay from creation to the first poll of the provider, as stored in the row (milliseconds). */
export const POLL_MS = 120_000;
const AGAIN_MS = 60_000;

/** A checkout at a provider, in memory. Records the calls to the provider with the workflow's time. */
export class FakeProviderCheckout {
  view: CheckoutView | null = null;
  /** The provider's next outcomes, in order; later ones are `made` and `open`. An error is thrown. */
  making: Made[] = [];
  finding: Found[] = [];
  readonly created: number[] = [];
  readonly settled: { at: number; givenUp: boolean }[] = [];
  loads = 0;

  constructor(
    private readonly now: () => Promise<number>,
    readonly lifetimeMs: number,
  ) {}

  readonly billing: CheckoutActivities = {
    loadCheckout: () => {
      this.loads += 1;
      return Promise.resolve(this.view);
    },
    expireCheckout: () => Promise.reject(new Error('Local billing has nothing to do here.')),
    reserveCheckout: async () => {
      const at = await this.now();
      this.view ??= { ...open(at + this.lifetimeMs), atProvider: { task: 'create', at } };
      return this.view;
    },
  };

  readonly providers: ProviderCheckoutActivities = {
    createCheckoutAtProvider: async () => {
      const at = await this.now();
      this.created.push(at);
      const made = this.making.shift() ?? 'made';
      if (made instanceof Error) throw made;
      const expiresAt = this.view?.expiresAt ?? at + this.lifetimeMs;
      if (made === 'refused') this.view = closed(expiresAt);
      else if (made === 'made') this.view = settling(expiresAt, at + POLL_MS);
      else this.view = { ...open(expiresAt), atProvider: { task: 'create', at: at + AGAIN_MS } };
      return this.view;
    },
    settleCheckoutAtProvider: async ({ givenUp }) => {
      const at = await this.now();
      this.settled.push({ at, givenUp });
      const found = this.finding.shift() ?? 'open';
      if (found instanceof Error) throw found;
      const expiresAt = this.view?.expiresAt ?? at;
      const isOver = givenUp || at >= expiresAt || this.view?.open === false;
      if (found === 'paid' || (found === 'open' && isOver)) this.view = closed(expiresAt);
      else if (found === 'unknown') this.view = settling(expiresAt, at + AGAIN_MS);
      else this.view = settling(expiresAt, Math.min(expiresAt, at + HOUR_MS));
      return this.view;
    },
  };
}

function open(expiresAt: number): CheckoutView {
  return { open: true, expiresAt, clockOffset: 0 };
}

function closed(expiresAt: number): CheckoutView {
  return { open: false, expiresAt, clockOffset: 0, atProvider: null };
}

export function settling(expiresAt: number, at: number): CheckoutView {
  return { ...open(expiresAt), atProvider: { task: 'settle', at } };
}
