import type { Subscription } from '../../api/resources';
import { Facts } from '../../ui/Facts';
import { Id } from '../../ui/Id';
import { Money } from '../../ui/Money';
import { Panel } from '../../ui/Panel';
import { Time } from '../../ui/Time';
import { WorkspaceLink } from '../../ui/WorkspaceLink';
import { VIEWER_ZONE } from '../../ui/zone';
import { providerName } from '../../ui/providers';

/** Details of a subscription. */
export function SubscriptionFacts({ subscription }: { subscription: Subscription }) {
  const { id, customerId, externalId, plan, seats, pricing, price, interval, provider } = subscription;
  return (
    <Panel title="Subscription">
      <Facts
        facts={[
          ['Id', <Id key="id" value={id} />],
          [
            'Customer',
            <WorkspaceLink key="customer" path={`/customers/${customerId}`}>
              <bdi>{externalId}</bdi>
            </WorkspaceLink>,
          ],
          [
            'Plan',
            <span key="plan">
              <bdi>{plan.name}</bdi> ({plan.slug})
            </span>,
          ],
          ['Seats', seats.toLocaleString()],
          [
            'Price',
            <span key="price">
              <Money value={price} /> a {interval}
              {pricing === 'per_seat' && ' for each seat'}
            </span>,
          ],
          ['Provider', providerName(provider)],
          subscription.providerReference !== null && [
            'At the provider',
            <Id key="reference" value={subscription.providerReference} />,
          ],
          [
            'Period',
            <span key="period">
              <Time at={subscription.currentPeriodStart} precision="day" /> to{' '}
              <Time at={subscription.currentPeriodEnd} precision="minute" />
            </span>,
          ],
          [
            'Billing time zone',
            subscription.timeZone === VIEWER_ZONE
              ? VIEWER_ZONE
              : `${subscription.timeZone}; times are shown in ${VIEWER_ZONE}`,
          ],
          subscription.cancelledAt !== null && [
            'Cancelled',
            <Time key="cancelled" at={subscription.cancelledAt} />,
          ],
          ['Created', <Time key="created" at={subscription.createdAt} />],
          [
            'Commands',
            <WorkspaceLink key="commands" path={`/commands?subscriptionId=${id}`}>
              Those of the last 30 days, and why any was refused
            </WorkspaceLink>,
          ],
        ]}
      />
    </Panel>
  );
}
