import { isReturn, type KnownLine, type MatchedLine } from '../domain/provider-settlement';

/** The ids that a settlement counts: payments and refunds, and refunds whose money came back with it. */
export interface SettledIds {
  ids: readonly string[];
  returned: readonly string[];
}

/** Returns the ids of a settlement's linked lines. */
export function settledIdsOf(lines: readonly MatchedLine[]): SettledIds {
  const linked = lines.flatMap((line) => (line.targetId === null ? [] : [{ line, id: line.targetId }]));
  const isBack = ({ line, id }: (typeof linked)[number]): boolean => isReturn(line, { kind: kindOf(id) });
  return {
    ids: linked.filter((one) => !isBack(one)).map(({ id }) => id),
    returned: linked.filter(isBack).map(({ id }) => id),
  };
}

/** Returns whether the id of a linked line is a payment or a refund. */
export function kindOf(id: string): KnownLine['kind'] {
  return id.startsWith('ref_') ? 'refund' : 'payment';
}
