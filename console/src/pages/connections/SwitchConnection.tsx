import { useState } from 'react';
import { api } from '../../api/client';
import type { Connection } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { isolate } from '../../ui/isolate';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { CONNECTION_VIEWS } from './queries';
import { useConnectionRefusal } from './use-connection-refusal';

/** Disables a connection, or enables it again, after explaining the effect. */
export function SwitchConnection({ connection }: { connection: Connection }) {
  const { query } = useWorkspace();
  const refusal = useConnectionRefusal();
  const verb = connection.disabledAt === null ? 'Disable' : 'Enable';
  // What was asked for stays, even if it is done meanwhile: pressing again must not undo it.
  const [asked, setAsked] = useState<'Disable' | 'Enable'>();
  const params = { query, path: { id: connection.id } };
  return (
    <>
      <ReasonedButton size="xs" variant="default" reason={refusal} onClick={() => setAsked(verb)}>
        {verb}
      </ReasonedButton>
      {asked !== undefined && (
        <ConfirmDialog
          title={`${asked} ${isolate(connection.displayName)}`}
          submit={`${asked} the connection`}
          cancel="Leave it as it is"
          isDestructive={asked === 'Disable'}
          send={() =>
            asked === 'Disable'
              ? api.DELETE('/api/provider-connections/{id}', { params })
              : api.PATCH('/api/provider-connections/{id}', { params, body: { disabled: false } })
          }
          refresh={CONNECTION_VIEWS}
          onClose={() => setAsked(undefined)}
        >
          {asked === 'Disable'
            ? 'Its webhooks are refused, and nothing is sold, changed or read at the provider. Its subscriptions and payments are unchanged, and the provider keeps charging. It can be enabled again.'
            : 'Webhooks are accepted again, and its subscriptions are read at their next check. Test the connection afterwards.'}
        </ConfirmDialog>
      )}
    </>
  );
}
