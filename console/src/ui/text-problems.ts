import { EMAIL_ADDRESS, FEATURE_KEY, MAX_SLUG, SLUG } from '../../../src/domain/text-formats.ts';
import { required } from './required';

/* What is wrong with a typed text, for its field; null if it is valid. Spaces around it are no part of it, except of a password. */

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

export function newPasswordProblem(typed: string): string | null {
  return typed.length < 12 ? 'At least 12 characters.' : null;
}

export function emailProblem(typed: string): string | null {
  return EMAIL_ADDRESS.test(typed.trim()) ? null : 'Enter an address such as jo@example.com.';
}
