import { taxIn } from '../../src/domain/contained-tax.ts';
import { formatMoney, isZero, type Money } from './format';
import { change, effectInWords, entitiesInWords, featureInWords } from './strings';
import type { PortalPreview } from './types';

type EntityLimits = PortalPreview['entityLimit'];

/** Effect of a change: when, what it costs, and what will be different. */
export function Preview({ preview }: { preview: PortalPreview }) {
  const { credit, charge, tax, dueNow, estimated, withdraws, features, effective } = preview;
  const unused = negated(credit);
  const taxed = taxIn([charge, unused], tax, dueNow);
  const entities = entityChange(preview);
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
      {(features.length > 0 || entities !== null) && (
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
            {entities !== null && (
              <div>
                <dt>{change.entities}</dt>
                <dd>
                  {entitiesInWords(entities.from)} → {entitiesInWords(entities.to)}
                </dd>
              </div>
            )}
          </dl>
          {entities !== null && isLower(entities) && <p class="hint">{change.fewerEntities}</p>}
        </>
      )}
    </>
  );
}

/** Returns how many users or the like the plans allow; null if it stays the same. */
function entityChange({ entityLimit }: PortalPreview): EntityLimits | null {
  // An earlier version of the service omits it.
  const limits = entityLimit as EntityLimits | undefined;
  return limits === undefined || limits.from === limits.to ? null : limits;
}

function isLower({ from, to }: EntityLimits): boolean {
  return to !== null && (from === null || to < from);
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
