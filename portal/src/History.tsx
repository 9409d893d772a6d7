import { taxIn } from '../../src/domain/contained-tax.ts';
import { formatMoney, formatShortDay, isZero, type Money } from './format';
import { history } from './strings';
import type { PortalView } from './types';

/** As many as the service sends. */
const LATEST = 25;

/** Charges and payments. */
export function History({ view: { shows, subscriptions, transactions, payments } }: { view: PortalView }) {
  // A payment provider keeps its own books, so an empty list would suggest that nothing was charged.
  const hasCharges = transactions.length > 0 || !subscriptions.some(({ atProvider }) => atProvider);
  return (
    <>
      {shows.includes('transactions') && hasCharges && (
        <section class="card" aria-labelledby="charges">
          <h2 id="charges">{history.transactions}</h2>
          {transactions.length === 0 && <p class="hint">{history.noTransactions}</p>}
          <ul class="rows">
            {transactions.map((transaction) => (
              <Transaction key={transaction.id} transaction={transaction} />
            ))}
          </ul>
          {transactions.length === LATEST && <p class="hint">{history.latest}</p>}
        </section>
      )}
      {shows.includes('payments') && (
        <section class="card" aria-labelledby="payments">
          <h2 id="payments">{history.payments}</h2>
          {payments.length === 0 && <p class="hint">{history.noPayments}</p>}
          <ul class="rows">
            {payments.map(({ id, status, amount, refunded, beingRefunded, receivedAt }) => (
              <li key={id}>
                <div class="row">
                  <span>{formatShortDay(receivedAt)}</span>
                  <strong>{formatMoney(amount)}</strong>
                </div>
                <p class="hint">
                  {history.paymentStatus(status)}
                  {!isZero(refunded) && ` · ${history.refunded(refunded)}`}
                  {!isNothing(beingRefunded) && ` · ${history.beingRefunded(beingRefunded)}`}
                </p>
              </li>
            ))}
          </ul>
          {payments.length === LATEST && <p class="hint">{history.latest}</p>}
        </section>
      )}
    </>
  );
}

/** An earlier version of the service omits what is being paid back. */
function isNothing(money: Money | undefined): boolean {
  return money === undefined || isZero(money);
}

function Transaction({ transaction }: { transaction: PortalView['transactions'][number] }) {
  const { kind, status, total, open, taxAmount, lines, createdAt } = transaction;
  const amounts = lines.map(({ amount }) => amount);
  const taxed = taxIn(amounts, taxAmount, total);
  return (
    <li>
      <details>
        <summary>
          <span class="row">
            <span>
              {formatShortDay(createdAt)}, {history.kind(kind)}
            </span>
            <strong>{formatMoney(total)}</strong>
          </span>
          <span class="hint">
            {history.status(status)}
            {status === 'partially_paid' && ` · ${history.open(open)}`}
          </span>
        </summary>
        <ul class="lines">
          {lines.map(({ description, amount }, index) => (
            <li key={index} class="row">
              <bdi>{description}</bdi>
              <span>{formatMoney(amount)}</span>
            </li>
          ))}
          {taxed !== 'none' && (
            <li class="row">
              <span>{history.tax[taxed]}</span>
              <span>{formatMoney(taxAmount)}</span>
            </li>
          )}
        </ul>
      </details>
    </li>
  );
}
