import { taxIn } from '../../src/domain/contained-tax.ts';
import { formatMoney, isZero, type Money } from './format';
import { change, effectInWords, featureInWords } from './strings';
import type { PortalPreview } from './types';

/** Effect of a change: when, what it costs, and what will be different. */
export function Preview({ preview }: { preview: PortalPreview }) {
  const { credit, charge, tax, dueNow, estimated, withdraws, features, effective } = preview;
  const unused = negated(credit);
  const taxed = taxIn([charge, unused], tax, dueNow);
  return (
    <>
      <h3>{change.result}</h3>
      <p>{effectInWords(preview)}</p>
      {effective === 'immediate' && (
        <dl class="figures">
          <Figure label={change.charge} money={charge} />
          <Figure label={change.credit} money={unused} />
          {taxed !== 'none' && <Figure label={change.tax[taxed]} money={tax} />}
          <div class="sum">
            <dt>{change.dueNow}</dt>
            <dd class="amount">{formatMoney(dueNow)}</dd>
          </div>
        </dl>
      )}
      {estimated && effective === 'immediate' && <p class="hint">{change.estimated}</p>}
      {withdraws !== null && <p>{change.replaces}</p>}
      {features.length > 0 && (
        <>
          <h3>{change.features}</h3>
          <dl class="figures">
            {features.map(({ feature, from, to }) => (
              <div key={feature}>
                <dt>
                  <bdi>{feature}</bdi>
                </dt>
                <dd>
                  {featureInWords(from)} → {featureInWords(to)}
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </>
  );
}

function Figure({ label, money }: { label: string; money: Money }) {
  if (isZero(money)) return null;
  return (
    <div>
      <dt>{label}</dt>
      <dd class="amount">{formatMoney(money)}</dd>
    </div>
  );
}

function negated({ amount, currency }: Money): Money {
  return { amount: amount.startsWith('-') ? amount.slice(1) : `-${amount}`, currency };
}
