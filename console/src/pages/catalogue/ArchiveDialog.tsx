import { api } from '../../api/client';
import { useWorkspace } from '../../app/workspace';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { isolate } from '../../ui/isolate';
import type { Archiving } from './archiving';

type Kind = 'plan group' | 'plan' | 'feature';

/** Effects of archiving and unarchiving. */
const EFFECTS: Record<Kind, { archive: string; unarchive: string }> = {
  'plan group': {
    archive: 'It accepts no new plans, and its plans no new subscriptions. Existing subscriptions continue.',
    unarchive: 'It accepts new plans, and its plans new subscriptions again.',
  },
  plan: {
    archive:
      'It accepts no new subscriptions. Existing ones continue, renew and are charged as before. Changes to it that are already scheduled still take effect.',
    unarchive: 'It accepts new subscriptions again.',
  },
  feature: {
    archive: 'It can no longer be added to plans. Plans that include it keep it, and recorded usage stays.',
    unarchive: 'It can be added to plans again.',
  },
};

const VERBS = { archive: 'Archive', unarchive: 'Unarchive' };

interface ArchiveDialogProps {
  kind: Kind;
  archiving: Archiving;
  onClose: () => void;
}

/** Archives or unarchives a catalogue item after a confirmation. */
export function ArchiveDialog({ kind, archiving: { id, name, act }, onClose }: ArchiveDialogProps) {
  const { query } = useWorkspace();
  const params = { query, path: { id } };
  const send = {
    'plan group': () => api.POST(`/api/plan-groups/{id}/${act}`, { params }),
    plan: () => api.POST(`/api/plans/{id}/${act}`, { params }),
    feature: () => api.POST(`/api/features/{id}/${act}`, { params }),
  }[kind];
  return (
    <ConfirmDialog
      title={`${VERBS[act]} the ${kind} ${isolate(name)}`}
      submit={`${VERBS[act]} the ${kind}`}
      isDestructive={act === 'archive'}
      send={send}
      refresh={[['plan-groups'], ['plans'], ['plan'], ['features']]}
      onClose={onClose}
    >
      {EFFECTS[kind][act]}
    </ConfirmDialog>
  );
}
