import { Alert, List, Stack, Text } from '@mantine/core';
import { api } from '../../api/client';
import type { SubscriptionDrift } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { fieldName, valueInWords } from './drift-words';
import { useSubscriptionCommand } from './use-subscription-command';
import { Dialog } from '../../ui/Dialog';
import { DialogActions } from '../../ui/DialogActions';

/** The side that is correct. */
export type RepairTake = 'provider' | 'local';

interface RepairDriftProps {
  drift: SubscriptionDrift;
  take: RepairTake;
  onClose: () => void;
}

/** Explains the effect of a repair, and performs it. */
export function RepairDrift({ drift, take, onClose }: RepairDriftProps) {
  const { query } = useWorkspace();
  const isMissing = drift.differences.some(({ field }) => field === 'existence');
  const repair = useSubscriptionCommand<{ take: RepairTake; endMissing: boolean }>(onClose, (key, body) =>
    api.POST('/api/billing/subscriptions/{id}/drift', {
      params: { query, path: { id: drift.subscriptionId }, header: { 'Idempotency-Key': key } },
      body,
    }),
  );
  const ends = take === 'provider' && isMissing;
  const words = ends ? END_MISSING : WORDS[take];
  return (
    <Dialog isBusy={repair.isPending} isDone={repair.isDone} opened onClose={onClose} title={words.title}>
      <Stack>
        <Text size="sm">{words.effect}</Text>
        <List size="sm" aria-label="What it is about">
          {drift.differences.map(({ field, local, provider, words: sentence }) => (
            <List.Item key={`${field} ${sentence}`}>
              {fieldName(field)}: {valueInWords(local)} here, {valueInWords(provider)} at the provider
            </List.Item>
          ))}
        </List>
        <Alert variant="light" color={ends ? 'red' : 'gray'} title="Before you do it">
          {words.before}
        </Alert>
        <DialogActions
          action={repair}
          submit={words.button}
          onSubmit={() => repair.mutate({ take, endMissing: ends })}
          isDestructive={ends}
          cancel="Leave it as it is"
          onCancel={onClose}
        />
      </Stack>
    </Dialog>
  );
}

const WORDS: Record<RepairTake, { title: string; effect: string; before: string; button: string }> = {
  provider: {
    title: 'Take the provider’s state',
    effect:
      'The provider’s plan, seats, status and period are copied here, at the plan’s current price. Nothing is changed at the provider.',
    before:
      'What the customer may use changes with the plan, at once. A change that is scheduled or waits for approval is withdrawn if the plan or the seats change.',
    button: 'Copy the provider’s state here',
  },
  local: {
    title: 'Write ours to the provider',
    effect:
      'Our state is written to the provider where it supports that: plan and seats at A, without proration; whether it renews at A and C; and everywhere the end of what has ended here. Nothing is changed here.',
    before:
      'What the customer pays from the next renewal on may change. What the provider does not support is refused with a reason and stays different.',
    button: 'Write our state to the provider',
  },
};

const END_MISSING = {
  title: 'End what the provider does not have',
  effect: 'The provider has no such subscription. It is ended here, and the customer loses access.',
  before:
    'First check that the connection leads to the right account: in another account every subscription is missing.',
  button: 'End the subscription here',
};
