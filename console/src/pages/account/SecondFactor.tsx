import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { Panel } from '../../ui/Panel';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { Time } from '../../ui/Time';
import { DisableSecondFactor } from './DisableSecondFactor';
import { EnrolSecondFactor } from './EnrolSecondFactor';
import { RenewRecoveryCodes } from './RenewRecoveryCodes';
import { Loading } from '../../ui/Loading';

/** The operator's second factor: set-up, recovery codes, and disabling it. */
export function SecondFactor() {
  const [open, setOpen] = useState<'enrol' | 'renew' | 'disable' | null>(null);
  const factor = useQuery({
    queryKey: ['second-factor'],
    queryFn: () => bodyOf(api.GET('/api/auth/second-factor')),
  });
  const close = () => setOpen(null);
  return (
    <Panel title="Second factor">
      {factor.isPending && <Loading label="Loading the second factor" size="sm" />}
      {factor.isError && <ProblemPanel error={factor.error} retry={() => void factor.refetch()} />}
      {factor.isSuccess && factor.data.enrolledAt === null && (
        <Stack align="flex-start">
          <Text size="sm">
            With one, signing in takes a code of an authenticator app beside the password, and so do refunds,
            production keys, members and connections from time to time.
          </Text>
          <Button onClick={() => setOpen('enrol')}>Set it up</Button>
        </Stack>
      )}
      {factor.isSuccess && factor.data.enrolledAt !== null && (
        <Stack align="flex-start">
          <Text size="sm">
            Set up <Time at={factor.data.enrolledAt} />. Recovery codes left: {factor.data.recoveryCodesLeft}.
            {factor.data.recoveryCodesLeft < 3 && ' Make new ones before none are left.'}
          </Text>
          <Group>
            <Button variant="default" onClick={() => setOpen('renew')}>
              New recovery codes
            </Button>
            <Button variant="default" onClick={() => setOpen('disable')}>
              Turn it off
            </Button>
          </Group>
        </Stack>
      )}
      {open === 'enrol' && <EnrolSecondFactor onClose={close} />}
      {open === 'renew' && <RenewRecoveryCodes onClose={close} />}
      {open === 'disable' && <DisableSecondFactor onClose={close} />}
    </Panel>
  );
}
