import { Code, List } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { api, bodyOf } from '../../api/client';
import { problemOf } from '../../api/problem';
import type { Customer } from '../../api/resources';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { isolate } from '../../ui/isolate';
import { Panel } from '../../ui/Panel';
import { ReasonedButton } from '../../ui/ReasonedButton';

/** Erases a customer, after its external id was typed. */
export function EraseCustomer({ customer: { id, externalId } }: { customer: Customer }) {
  const { query } = useWorkspace();
  const refusal = useRefusal('admin');
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <Panel title="Erasure">
      <ReasonedButton
        size="xs"
        variant="default"
        c="var(--mantine-color-error)"
        reason={refusal}
        hint="When the person asks for it. This cannot be undone."
        onClick={open}
      >
        Erase the customer
      </ReasonedButton>
      {isOpen && (
        <ConfirmDialog
          title={`Erase ${isolate(externalId)}`}
          submit="Erase the customer"
          isDestructive
          typed={externalId}
          send={() => bodyOf(api.DELETE('/api/customers/{id}', { params: { query, path: { id } } }))}
          // Usage is queried by the external id, which has changed. Queries by the old one are not repeated.
          refresh={([kind]) => kind !== 'usage'}
          onClose={close}
          explain={(error) => <WhatIsOpen error={error} />}
        >
          The external id, name, e-mail address and metadata are removed immediately. Then records about the
          customer are blanked: events, answers, webhooks, texts. Money and usage are kept under a pseudonym.
          Data held by payment providers is listed here afterwards and has to be erased there. This cannot be
          undone.
        </ConfirmDialog>
      )}
    </Panel>
  );
}

/** Lists what must end first, if that is why the erasure was refused. */
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
