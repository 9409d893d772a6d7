import { formatMoney } from './format';
import { OutsideLink } from './OutsideLink';
import { pay } from './strings';
import type { PortalView } from './types';

/** One-time amounts to pay. */
export function OpenPayments({ payments }: { payments: PortalView['openPayments'] }) {
  if (payments.length === 0) return null;
  return (
    <section class="card" aria-labelledby="to-pay">
      <h2 id="to-pay">{pay.openTitle}</h2>
      <ul class="rows">
        {payments.map(({ id, description, amount, url, expiresAt }) => (
          <li key={id}>
            <div class="row">
              <bdi>{description}</bdi>
              <strong>{formatMoney(amount)}</strong>
            </div>
            <p class="hint">{pay.until(expiresAt)}</p>
            <OutsideLink href={url}>{pay.button}</OutsideLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
