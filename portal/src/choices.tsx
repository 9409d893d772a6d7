import { useId } from 'preact/hooks';
import { MAX_SEATS } from '../../src/domain/subscription-types.ts';
import { change, planPrice } from './strings';
import type { PortalSubscription } from './types';

/** Parses a typed number of seats; null if no subscription can have it. */
export function seatsOf(typed: string): number | null {
  if (!/^\d{1,7}$/.test(typed)) return null;
  const seats = Number(typed);
  return seats >= 1 && seats <= MAX_SEATS ? seats : null;
}

export function PlanChoice(props: {
  subscription: PortalSubscription;
  chosen: string | null;
  onChoose: (slug: string) => void;
}) {
  const { subscription, chosen, onChoose } = props;
  return (
    <fieldset>
      <legend>{change.choose}</legend>
      {subscription.plans.map((plan) => (
        <label key={plan.slug} class="option">
          <input
            type="radio"
            name="plan"
            value={plan.slug}
            checked={chosen === plan.slug}
            onChange={() => onChoose(plan.slug)}
          />
          <bdi class="name">{plan.name}</bdi>
          <span>{planPrice(plan, subscription)}</span>
        </label>
      ))}
    </fieldset>
  );
}

export function SeatChoice(props: { typed: string; now: number; onType: (typed: string) => void }) {
  const { typed, now, onType } = props;
  const hint = useId();
  const invalid = seatsOf(typed) === null;
  return (
    <label class="field">
      <span>{change.seats}</span>
      <input
        type="text"
        inputMode="numeric"
        autoComplete="off"
        value={typed}
        aria-invalid={invalid}
        aria-describedby={hint}
        onInput={({ currentTarget }) => onType(currentTarget.value.trim())}
      />
      <span id={hint} class={invalid ? 'problem' : 'hint'}>
        {invalid ? change.invalidSeats : change.seatsNow(now)}
      </span>
    </label>
  );
}
