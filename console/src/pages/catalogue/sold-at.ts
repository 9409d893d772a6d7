import type { Connection, Plan } from '../../api/resources';
import { providerMappings } from '../plan/provider-mappings';

const LETTERS: Record<Connection['provider'], string> = {
  provider_a: 'A',
  provider_b: 'B',
  provider_c: 'C',
};

/** Describes at which payment providers a plan has a reference. Local billing needs none. */
export function soldAt(plan: Plan, connections: Connection[]): string {
  const mapped = new Set(
    providerMappings(plan, connections)
      .filter(({ reference }) => reference !== null)
      .map(({ provider }) => LETTERS[provider]),
  );
  if (mapped.size === 0) return 'internal only';
  const missing = Object.values(LETTERS).filter((letter) => !mapped.has(letter));
  const at = [...mapped].join(', ');
  return missing.length === 0 ? at : `${at} (missing: ${missing.join(', ')})`;
}
