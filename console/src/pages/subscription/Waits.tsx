import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Subscription } from '../../api/resources';
import { Sentence } from '../../ui/Sentence';
import { Time } from '../../ui/Time';
import { AccessWhilePastDue } from './AccessWhilePastDue';
import { ConfirmCommand } from './ConfirmCommand';
import { PastDueSince } from './PastDueSince';
import { PreparationWait } from './PreparationWait';
import { RetryNow } from './RetryNow';
import { Wait } from './Wait';
import { WithdrawChange } from './WithdrawChange';
import { countInWords } from '../../../../src/domain/count-in-words.ts';
import { COLLECTS_AGAIN } from '../../../../src/domain/provider.ts';

/** Describes what a subscription waits for, with the available actions. */
export function Waits({ subscription }: { subscription: Subscription }) {
  const { pendingApproval, scheduledChange, waitingFor, pastDueSince, cancelAt, status } = subscription;
  // Not part of the wait, which is gone when the change is, also before its own request is answered.
  const [isWithdrawing, { open: ask, close }] = useDisclosure(false);
  return (
    <Stack gap="xs">
      {pastDueSince !== null && (
        <Wait color="red" title="Past due" action={<RetryNow subscription={subscription} />}>
          <PastDueSince since={pastDueSince} /> <AccessWhilePastDue since={pastDueSince} />
          {!isCollectedAgain(subscription) &&
            ` The payment provider does not try to collect it again${cancelAt === null ? ' before the next renewal' : ''}.`}
        </Wait>
      )}
      {pendingApproval !== null && (
        <Wait
          color="yellow"
          title="Waits for the customer’s approval"
          action={
            <Group gap="xs" align="flex-start">
              <RetryNow subscription={subscription} />
              <WithdrawChange subscription={subscription} change="approval" onAsk={ask} />
            </Group>
          }
        >
          The customer has until <Time at={pendingApproval.expiresAt} /> to approve the change at the payment
          provider.{' '}
          {pendingApproval.approvalUrl !== null && (
            <Anchor href={pendingApproval.approvalUrl} target="_blank" rel="noreferrer" inherit>
              Open the approval page
            </Anchor>
          )}
        </Wait>
      )}
      {scheduledChange !== null && (
        <Wait
          color="blue"
          title="Changes at the renewal"
          action={<WithdrawChange subscription={subscription} change="scheduled" onAsk={ask} />}
        >
          To {scheduledChange.plan.slug} with {countInWords(scheduledChange.seats, 'seat')} on{' '}
          <Time at={scheduledChange.effectiveAt} />.
        </Wait>
      )}
      <PreparationWait subscription={subscription} />
      {cancelAt !== null && status !== 'cancelled' && status !== 'expired' && (
        <Wait color="blue" title="Ends and does not renew">
          It ends on <Time at={cancelAt} />.
        </Wait>
      )}
      {waitingFor !== null && (
        <Group gap="sm" align="flex-start">
          <Text size="sm" c="dimmed">
            Next: <Sentence text={waitingFor} />
          </Text>
          {isUnconfirmed(waitingFor) && <RetryNow subscription={subscription} />}
        </Group>
      )}
      {isWithdrawing && <ConfirmCommand subscription={subscription} command="withdraw" onClose={close} />}
    </Stack>
  );
}

function isCollectedAgain({ provider }: Subscription): boolean {
  return provider === 'internal' || COLLECTS_AGAIN[provider];
}

/** Returns whether it waits for a call whose outcome is unknown, which no other member of the subscription shows. */
function isUnconfirmed(waitingFor: string): boolean {
  return waitingFor.startsWith('The payment provider has not confirmed a request');
}
