import { isReturn, type KnownLine, type MatchedLine } from '../domain/provider-settlement';

/** What a settlement counts: ids of payments and refunds, and of refunds whose money came back with it. */
export interface SettledIds {
  ids: readonly string[];
  returned: readonly string[];
}

/** What the tied lines of a settlement are. */
export function settledIdsOf(lines: readonly MatchedLine[]): SettledIds {
  const tied = lines.flatMap((line) => (line.targetId === null ? [] : [{ line, id: line.targetId }]));
  const isBack = ({ line, id }: (typeof tied)[number]): boolean => isReturn(line, { kind: kindOf(id) });
  return {
    ids: tied.filter((one) => !isBack(one)).map(({ id }) => id),
    returned: tied.filter(isBack).map(({ id }) => id),
  };
}

/** What an id of a tied line is of. */
export function kindOf(id: string): KnownLine['kind'] {
  return id.startsWith('ref_') ? 'refund' : 'payment';
}
