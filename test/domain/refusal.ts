import { isTollgateError } from '../../src/domain/errors';

/**
 * Returns what an act was refused with: code, status, the members that errors point to, and the capability's name and
 * code.
 */
export function refusalOf(act: () => unknown): {
  code: string;
  status: number;
  pointers: string[];
  capability: unknown;
} {
  try {
    act();
  } catch (e) {
    if (!isTollgateError(e)) throw e;
    const { code, status, errors = [], extra } = e;
    return {
      code,
      status,
      pointers: errors.map(({ pointer }) => pointer),
      capability: extra?.['capability'],
    };
  }
  throw new Error('It was not refused.');
}
