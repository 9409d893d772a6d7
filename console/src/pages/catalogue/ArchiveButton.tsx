import { isolate } from '../../ui/isolate';
import { RowButton } from '../../ui/RowButton';
import type { Archiving } from './archiving';

interface ArchiveButtonProps {
  item: { id: string; name: string; archivedAt: string | null };
  /** Asks for a confirmation, outside of the item's row. */
  onAsk: (archiving: Archiving) => void;
}

/** Archives or unarchives a catalogue item. */
export function ArchiveButton({ item: { id, name, archivedAt }, onAsk }: ArchiveButtonProps) {
  const act = archivedAt === null ? 'archive' : 'unarchive';
  return (
    <RowButton about={isolate(name)} onClick={() => onAsk({ id, name, act })}>
      {archivedAt === null ? 'Archive' : 'Unarchive'}
    </RowButton>
  );
}
