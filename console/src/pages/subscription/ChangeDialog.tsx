import { Group, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { invalidate } from '../../api/invalidate';
import { isOutcomeUnknown, problemOf } from '../../api/problem';
import type { ChangePreview, Subscription } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { isolate } from '../../ui/isolate';
import { formatMoney } from '../../ui/money';
import { NumberField } from '../../ui/NumberField';
import { MAX_SEATS } from '../../../../src/domain/subscription-types.ts';
import { numberProblem, type TypedNumber } from '../../ui/typed-number';
import { ReadProblem } from '../../ui/ReadProblem';
import { timeInSentence } from '../../ui/time';
import { SearchSelect } from '../../ui/SearchSelect';
import { groupPlanChoices } from './group-plan-choices';
import { PreviewTable } from './PreviewTable';
import { useSubscriptionCommand } from './use-subscription-command';
import { Dialog } from '../../ui/Dialog';
import { DialogActions } from '../../ui/DialogActions';
import { Loading } from '../../ui/Loading';

/** Changed terms of a subscription. */
interface Terms {
  planId?: string;
  seats?: number;
}

/** The effect shown in the dialog. The change has exactly this effect, or is refused. */
type ShownChange = Pick<ChangePreview, 'effective' | 'effectiveAt' | 'withdraws'> & { dueNow: string };

/** Changes the plan or the seats, and shows the effect beforehand. */
export function ChangeDialog({ subscription, onClose }: { subscription: Subscription; onClose: () => void }) {
  const { query } = useWorkspace();
  const queries = useQueryClient();
  // Kept as it was when the dialog opened: after a change whose answer was lost, the API reports that change as done.
  const [before] = useState(subscription);
  const [planId, setPlanId] = useState(before.plan.id);
  const [seats, setSeats] = useState<TypedNumber>(before.seats);
  const [wanted] = useDebouncedValue({ planId, seats }, 200);
  const plans = groupPlanChoices(query, before);
  // Unchanged members are not sent, because another operator may have changed them in the meantime.
  const terms: Terms = {
    ...(wanted.planId !== before.plan.id && { planId: wanted.planId }),
    ...(wanted.seats !== before.seats && { seats: Number(wanted.seats) }),
  };
  const seatsProblem = numberProblem(seats, { min: 1, max: MAX_SEATS, whole: true });
  const isSettled = seatsProblem === null && planId === wanted.planId && seats === wanted.seats;
  const isSame = Object.keys(terms).length === 0;
  const path = { id: subscription.id };
  const change = useSubscriptionCommand<Terms & { shown: ShownChange }>(onClose, (key, body) =>
    api.POST('/api/billing/subscriptions/{id}/change', {
      params: { query, path, header: { 'Idempotency-Key': key } },
      body,
    }),
  );
  // The preview of the change being made, or whose answer was lost. That change increases the subscription's version,
  // so a preview of the new version would answer another question. The button that resends the change stays.
  const [sent, setSent] = useState<ChangePreview>();
  const isSent = change.isPending || (change.isError && isOutcomeUnknown(change.error));
  const preview = useQuery({
    queryKey: ['preview', query, subscription.id, subscription.version, terms],
    queryFn: async () =>
      (await bodyOf(
        api.POST('/api/billing/subscriptions/{id}/change', {
          params: { query: { ...query, dryRun: 'true' }, path },
          body: terms,
        }),
      )) as ChangePreview,
    enabled: !isSame && isSettled && !isSent,
    retry: false,
  });
  const choose = (set: () => void) => {
    if (change.isError) change.reset();
    set();
  };
  const send = (asShown: ChangePreview) => {
    setSent(asShown);
    const { effective, effectiveAt, dueNow, withdraws } = asShown;
    const body = { ...terms, shown: { effective, effectiveAt, dueNow: dueNow.amount, withdraws } };
    change.mutate(body, {
      onError: (error) => {
        if (problemOf(error).code !== 'change_differs') return;
        // The plan alone may have changed, which the subscription's version does not reflect.
        void preview.refetch();
        void invalidate(queries, [['plans']]);
      },
    });
  };
  const previewed = isSame || !isSettled || preview.isError ? undefined : preview.data;
  const shown = isSent ? sent : previewed;
  return (
    <Dialog
      isBusy={change.isPending}
      isDone={change.isDone}
      isTyped={planId !== before.plan.id || seats !== before.seats}
      opened
      onClose={onClose}
      title={`Change the subscription of ${isolate(subscription.externalId)}`}
      size="lg"
    >
      <Stack>
        <Group grow align="flex-start">
          <SearchSelect
            label="Plan"
            allowDeselect={false}
            choices={plans}
            value={planId}
            onChange={(value) => value !== null && choose(() => setPlanId(value))}
          />
          <NumberField
            label="Seats"
            value={seats}
            error={seatsProblem}
            onChange={(typed) => choose(() => setSeats(typed))}
          />
        </Group>
        {!isSame && preview.isFetching && shown === undefined && (
          <Loading label="The preview is made" size="sm" />
        )}
        {!isSame && !isSent && preview.isError && <ReadProblem read={preview} />}
        {shown !== undefined && <PreviewTable preview={shown} timeZone={subscription.timeZone} />}
        <DialogActions
          action={change}
          submit={shown && outcome(shown)}
          onSubmit={() => {
            if (shown !== undefined) send(shown);
          }}
          cancel="Leave it as it is"
          onCancel={onClose}
        />
      </Stack>
    </Dialog>
  );
}

const DIRECTIONS: Record<ChangePreview['direction'], string> = {
  upgrade: 'Upgrade',
  downgrade: 'Downgrade',
  seat_increase: 'Add seats',
  seat_decrease: 'Remove seats',
};

/** Describes the effect of the button. */
function outcome({ direction, effective, effectiveAt, dueNow, estimated }: ChangePreview): string {
  const what = DIRECTIONS[direction];
  if (effective === 'after_confirmation') return `${what}: ask the customer for approval`;
  if (effective !== 'immediate')
    return `${what} on ${timeInSentence(effectiveAt, 'day')}, charge nothing now`;
  if (/^-?0*$/.test(dueNow.amount)) return `${what} now, charge nothing`;
  return `${what} now, charge ${estimated ? 'about ' : ''}${formatMoney(dueNow)}`;
}
