import { Button, Group, Loader, Modal, NumberInput, Select, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import type { ChangePreview, Subscription } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { isolate } from '../../ui/isolate';
import { formatMoney } from '../../ui/money';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { formatTime } from '../../ui/time';
import { PreviewTable } from './PreviewTable';
import { usePlansOfGroup } from './use-plans-of-group';
import { useSubscriptionCommand } from './use-subscription-command';

/** Another plan or other seats, with what follows before it is done. */
export function ChangeDialog({ subscription, onClose }: { subscription: Subscription; onClose: () => void }) {
  const { query } = useWorkspace();
  const [planId, setPlanId] = useState(subscription.plan.id);
  const [seats, setSeats] = useState(subscription.seats);
  const [wanted] = useDebouncedValue({ planId, seats }, 200);
  const plans = usePlansOfGroup(subscription);
  // As it was when the dialog was opened: where the answer of a change was lost, the API says that it is done.
  const [before] = useState(subscription);
  const isSame = wanted.planId === before.plan.id && wanted.seats === before.seats;
  const path = { id: subscription.id };
  const change = useSubscriptionCommand<typeof wanted>(onClose, (key, body) =>
    api.POST('/api/billing/subscriptions/{id}/change', {
      params: { query, path, header: { 'Idempotency-Key': key } },
      body,
    }),
  );
  const preview = useQuery({
    queryKey: ['preview', query, subscription.id, subscription.version, wanted],
    queryFn: async () =>
      (await bodyOf(
        api.POST('/api/billing/subscriptions/{id}/change', {
          params: { query: { ...query, dryRun: 'true' }, path },
          body: wanted,
        }),
      )) as ChangePreview,
    // While the change is made, what it would do is no longer the question.
    enabled: !isSame && !change.isPending,
    retry: false,
  });
  const isSettled = planId === wanted.planId && seats === wanted.seats;
  const shown = isSame || !isSettled ? undefined : preview.data;
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Change the subscription of ${isolate(subscription.externalId)}`}
      size="lg"
    >
      <Stack>
        <Group grow align="flex-start">
          <Select
            label="Plan"
            allowDeselect={false}
            data={plans.map(({ id, name, price, interval }) => ({
              value: id,
              label: `${isolate(name)}, ${formatMoney(price)}/${interval}`,
            }))}
            value={planId}
            onChange={(value) => value !== null && setPlanId(value)}
          />
          <NumberInput
            label="Seats"
            min={1}
            max={100_000}
            allowDecimal={false}
            value={seats}
            onChange={(value) => typeof value === 'number' && value >= 1 && setSeats(value)}
          />
        </Group>
        {!isSame && preview.isFetching && <Loader size="sm" aria-label="The preview is made" />}
        {!isSame && preview.isError && <ProblemPanel error={preview.error} />}
        {shown !== undefined && <PreviewTable preview={shown} />}
        {change.isError && <ProblemPanel error={change.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Leave it as it is
          </Button>
          {shown !== undefined && (
            <Button loading={change.isPending} onClick={() => change.mutate(wanted)}>
              {outcome(shown)}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

const DIRECTIONS: Record<ChangePreview['direction'], string> = {
  upgrade: 'Upgrade',
  downgrade: 'Downgrade',
  seat_increase: 'Add seats',
  seat_decrease: 'Remove seats',
};

/** What pressing the button does. */
function outcome({ direction, effective, effectiveAt, dueNow, estimated }: ChangePreview): string {
  const what = DIRECTIONS[direction];
  if (effective === 'after_confirmation') return `${what}: ask the customer for approval`;
  if (effective !== 'immediate') return `${what} on ${formatTime(effectiveAt, 'day')}, charge nothing now`;
  if (/^-?0*$/.test(dueNow.amount)) return `${what} now, charge nothing`;
  return `${what} now, charge ${estimated ? 'about ' : ''}${formatMoney(dueNow)}`;
}
