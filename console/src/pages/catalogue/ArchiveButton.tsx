import { useState } from 'react';
import { api } from '../../api/client';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { isolate } from '../../ui/isolate';
import { RowButton } from '../../ui/RowButton';

type Kind = 'plan group' | 'plan' | 'feature';

/** Effects of archiving and unarchiving. */
const EFFECTS: Record<Kind, { archive: string; unarchive: string }> = {
  'plan group': {
    archive: 'It accepts no new plans, and its plans no new subscriptions. Existing subscriptions continue.',
    unarchive: 'It accepts new plans, and its plans new subscriptions again.',
  },
  plan: {
    archive: 'It accepts no new subscriptions. Existing ones continue, renew and are charged as before.',
    unarchive: 'It accepts new subscriptions again.',
  },
  feature: {
    archive: 'It can no longer be added to plans. Plans that include it keep it, and recorded usage stays.',
    unarchive: 'It can be added to plans again.',
  },
};

const WORDS = { archive: 'Archive', unarchive: 'Unarchive' };

interface ArchiveButtonProps {
  kind: Kind;
  item: { id: string; name: string; archivedAt: string | null };
}

/** Archives or unarchives a catalogue item after a confirmation. Not shown without the role, like Edit. */
export function ArchiveButton({ kind, item }: ArchiveButtonProps) {
  const { query } = useWorkspace();
  const refusal = useRefusal('developer');
  // What was asked for stays, even if it is done meanwhile: pressing again must not undo it.
  const [asked, setAsked] = useState<'archive' | 'unarchive'>();
  if (refusal !== null) return null;
  const next = item.archivedAt === null ? 'archive' : 'unarchive';
  const act = asked ?? next;
  const params = { query, path: { id: item.id } };
  const send = {
    'plan group': () => api.POST(`/api/plan-groups/{id}/${act}`, { params }),
    plan: () => api.POST(`/api/plans/{id}/${act}`, { params }),
    feature: () => api.POST(`/api/features/{id}/${act}`, { params }),
  }[kind];
  return (
    <>
      <RowButton about={isolate(item.name)} onClick={() => setAsked(next)}>
        {WORDS[next]}
      </RowButton>
      {asked !== undefined && (
        <ConfirmDialog
          title={`${WORDS[act]} the ${kind} ${isolate(item.name)}`}
          submit={`${WORDS[act]} the ${kind}`}
          isDestructive={act === 'archive'}
          send={send}
          refresh={[['plan-groups'], ['plans'], ['plan'], ['features']]}
          onClose={() => setAsked(undefined)}
        >
          {EFFECTS[kind][act]}
        </ConfirmDialog>
      )}
    </>
  );
}
