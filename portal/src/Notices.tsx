import { useState } from 'preact/hooks';
import { lookForPayment } from './api';
import { OutsideLink, PlaceOfOutsideLink } from './OutsideLink';
import { Refusal } from './refusal';
import { pay, refusalInWords } from './strings';
import type { PortalSubscription, PortalView } from './types';
import { usePayLink } from './use-pay-link';

/** Actions that the customer must take elsewhere: pay, or approve. */
export function Notices(props: {
  subscription: PortalSubscription;
  shows: PortalView['shows'];
  merchant: string;
}) {
  const { subscription, shows, merchant } = props;
  const { status, waitsFor, payUrl, paymentDueAt, paidUntil, pendingApproval, atProvider } = subscription;
  const approvalUrl = pendingApproval?.approvalUrl ?? null;
  const overdue = status === 'past_due' && paidUntil === null;
  const found = usePayLink(subscription.id, overdue && atProvider && shows.includes('pay'));
  const link = found ?? payUrl;
  const owed = overdue || waitsFor === 'checkout' || paymentDueAt !== null;
  return (
    <>
      {approvalUrl !== null && <OutsideLink href={approvalUrl}>{pay.approve}</OutsideLink>}
      {owed && (
        <div class="notice">
          {!overdue && paymentDueAt !== null && <p>{pay.due(paymentDueAt)}</p>}
          {link !== null ? (
            <OutsideLink href={link}>{pay.button}</OutsideLink>
          ) : found === undefined ? (
            <PlaceOfOutsideLink>{pay.button}</PlaceOfOutsideLink>
          ) : (
            <p>
              <bdi>{howItIsPaid(subscription, merchant)}</bdi>
            </p>
          )}
          {overdue && atProvider && shows.includes('pay') && <LookForPayment id={subscription.id} />}
        </div>
      )}
    </>
  );
}

/** Describes how an open payment without a page is paid. */
function howItIsPaid(subscription: PortalSubscription, merchant: string): string {
  const { atProvider, collectsAgain, waitsFor, currentPeriodEnd, endsAt } = subscription;
  // A first payment is made on the page of its checkout, which the provider does not collect.
  if (!atProvider || waitsFor === 'checkout') return pay.byAgreement(merchant);
  // An earlier version of the service omits it.
  if ((collectsAgain as boolean | undefined) ?? true) return pay.byProvider;
  return pay.notCollected(endsAt === null ? currentPeriodEnd : null, merchant);
}

function LookForPayment({ id }: { id: string }) {
  const [said, setSaid] = useState<string | null>(null);
  const look = async (): Promise<void> => {
    try {
      await lookForPayment(id);
      setSaid(pay.checking);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      setSaid(refusalInWords(error));
    }
  };
  return (
    <>
      <button type="button" onClick={() => void look()}>
        {pay.paid}
      </button>
      <p role="status" class="hint">
        {said}
      </p>
    </>
  );
}
