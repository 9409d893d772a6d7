import {
  EMAIL_ADDRESS,
  FEATURE_KEY,
  MAX_SLUG,
  PASSWORD_MAX,
  PASSWORD_MIN,
  SLUG,
} from '../../../src/domain/text-formats.ts';
import { required } from './required';

/*
 * What is wrong with a typed text, for its field; null if it is valid. Spaces around it are no part of it, except of a
 * password.
 */

export function slugProblem(typed: string): string | null {
  return shortNameProblem(typed, SLUG, 'hyphens or underscores');
}

export function featureKeyProblem(typed: string): string | null {
  return shortNameProblem(typed, FEATURE_KEY, 'hyphens, underscores or points');
}

function shortNameProblem(typed: string, format: RegExp, joints: string): string | null {
  const text = typed.trim();
  if (text.length > MAX_SLUG) return `No more than ${MAX_SLUG} characters.`;
  if (text !== '' && !format.test(text))
    return `Use lower-case letters and digits, joined by single ${joints}.`;
  return required(text);
}

/** Which new passwords are accepted, for the description of their field. */
export const PASSWORD_RULE = `${PASSWORD_MIN} to ${PASSWORD_MAX} characters, of any kind.`;

export function newPasswordProblem(typed: string): string | null {
  const { length } = Array.from(typed);
  if (length < PASSWORD_MIN) return `At least ${PASSWORD_MIN} characters.`;
  return length > PASSWORD_MAX ? `No more than ${PASSWORD_MAX} characters.` : null;
}

export function emailProblem(typed: string): string | null {
  return EMAIL_ADDRESS.test(typed.trim()) ? null : 'Enter an address such as jo@example.com.';
}

/** What a customer's e-mail address is needed for, for the description of its field. */
export const EMAIL_USE = 'Provider C sells only to customers who have one.';
