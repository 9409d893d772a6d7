import { Button, Code, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { problemOf } from '../../api/problem';
import type { Customer } from '../../api/resources';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { isolate } from '../../ui/isolate';
import { Panel } from '../../ui/Panel';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { Dialog } from '../../ui/Dialog';

/** Erases a customer, after its external id was typed. */
export function EraseCustomer({ customer }: { customer: Customer }) {
  const { query } = useWorkspace();
  const queries = useQueryClient();
  const refusal = useRefusal('admin');
  const [isOpen, { open, close }] = useDisclosure(false);
  const [typed, setTyped] = useState('');
  const erase = useMutation({
    mutationFn: () =>
      bodyOf(api.DELETE('/api/customers/{id}', { params: { query, path: { id: customer.id } } })),
    onSuccess: async () => {
      close();
      // Usage is asked for by the external id, which is another one now: what was asked by the old one is not again.
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'usage' });
    },
  });
  return (
    <Panel title="Erasure">
      <ReasonedButton
        size="xs"
        variant="default"
        c="var(--mantine-color-error)"
        reason={refusal}
        hint="When the person asks for it. It cannot be undone."
        onClick={open}
      >
        Erase the customer
      </ReasonedButton>
      <Dialog
        isBusy={erase.isPending}
        opened={isOpen}
        onClose={close}
        title={`Erase ${isolate(customer.externalId)}`}
      >
        <Stack>
          <Text size="sm">
            Its external id, name, e-mail address and metadata go at once. Then what was written about it is
            blanked: events, answers, webhooks, texts. Its money and usage stay, under a pseudonym. What a
            payment provider holds is named here afterwards, and has to be erased there. Nothing brings it
            back.
          </Text>
          <TextInput
            label={`Type ${isolate(customer.externalId)} to confirm`}
            value={typed}
            data-autofocus
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          {erase.isError && <ProblemPanel error={erase.error} />}
          {erase.isError && <WhatIsOpen error={erase.error} />}
          <Group justify="flex-end">
            <Button variant="default" disabled={erase.isPending} onClick={close}>
              Leave it
            </Button>
            <Button
              color="red"
              disabled={typed !== customer.externalId}
              loading={erase.isPending}
              onClick={() => erase.mutate()}
            >
              Erase the customer
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </Panel>
  );
}

/** What has to end first, where that is why it was refused. */
function WhatIsOpen({ error }: { error: unknown }) {
  const { open } = problemOf(error) as { open?: Record<string, string[]> };
  if (open === undefined) return null;
  return (
    <List size="sm">
      {Object.entries(open)
        .flatMap(([kind, ids]) => ids.map((id) => ({ kind, id })))
        .map(({ kind, id }) => (
          <List.Item key={id}>
            {kind}: <Code>{id}</Code>
          </List.Item>
        ))}
    </List>
  );
}
