import type { Outcome } from '../outcome';
import type { Sending } from '../provider-operations';

type Declined = Extract<Outcome<never>, { kind: 'declined' }>;
type Unknown = Extract<Outcome<never>, { kind: 'unknown' }>;

const CONNECTION_SENTENCES: Readonly<Record<string, string>> = {
  connection_incomplete: 'Payments are not fully set up. Contact the merchant.',
  authentication_failed:
    'The payment provider does not accept the merchant’s connection. Contact the merchant.',
};
/** A word that may name a person or an object of the provider. */
const NAMING_WORD = /\S*(?:[_@/]|\d{3})\S*/g;

/**
 * Returns a refusal in words that a customer may read. The provider's own message, which tells an operator what to
 * correct, follows in parentheses, without any word that names something.
 *
 * @param sentence what was refused
 */
export function refused({ code, reason }: Declined, sentence: string): Declined {
  const connection = CONNECTION_SENTENCES[code];
  if (connection !== undefined) return { kind: 'declined', code, reason: connection };
  const detail = reason.replace(NAMING_WORD, '…').trim();
  return { kind: 'declined', code, reason: detail === '' ? sentence : `${sentence} (${detail})` };
}

/**
 * Returns the outcome when the provider's current state could not be read. If the request may have been sent before, a
 * key that is refused now does not mean that it was refused then, so the outcome stays unknown until the state can be
 * read.
 */
export function notAsked(
  { repeated }: Sending,
  answer: Declined | Unknown,
  sentence: string,
): Declined | Unknown {
  if (answer.kind === 'unknown') return answer;
  if (repeated && answer.code in CONNECTION_SENTENCES) {
    return {
      kind: 'unknown',
      reason: `An earlier attempt may have succeeded, but it cannot be checked: ${answer.reason}`,
    };
  }
  return refused(answer, sentence);
}
