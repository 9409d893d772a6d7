/**
 * What an operator is asked to confirm. It stays, even if it is done meanwhile: pressing again must not undo it.
 */
export interface Archiving {
  id: string;
  name: string;
  act: 'archive' | 'unarchive';
}
