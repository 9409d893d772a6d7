import { z } from 'zod';
import type { ConnectionAccess } from '../connection-access';
import { redactSecrets } from '../redact-secrets';
import { NOT_FOUND, ProviderBFailure } from './failure';
import type { Received } from './transport';
import { problemInWords, readJson } from './values';

/** A member of an unexpected type is left out, so that the others can still be read. */
const text = z.string().optional().catch(undefined);

/** Provider B's refusal; the other two fields are its form for a refused sign-in or token. */
const refusal = z.object({
  name: text,
  message: text,
  error: text,
  error_description: text,
  debug_id: text,
  details: z
    .array(z.object({ issue: text }))
    .optional()
    .catch(undefined),
});

/**
 * Returns the value of an answer that has the expected shape; unknown members pass.
 *
 * @param what names the call in a failure's message
 * @throws ProviderBFailure refused (4xx), unavailable (5xx, 409, 429, a redirect, a proxy's page), unreadable
 */
export function readAnswer<T>(
  access: Pick<ConnectionAccess, 'secrets'>,
  answer: Received,
  what: string,
  shape: z.ZodType<T>,
): T {
  const { status } = answer;
  if (status >= 200 && status < 300) return readShape(answer, what, shape);
  const body = refusalOf(answer.text);
  // Masked before they are cut, because a part of a secret would not be recognized afterwards.
  const masked = (text: string, most: number) => redactSecrets(access, text).slice(0, most);
  const code = masked(body.details?.[0]?.issue ?? body.name ?? body.error ?? `http_${status}`, 100);
  const debugId = answer.debugId ?? body.debug_id?.slice(0, 64);
  const reason = masked(body.message ?? body.error_description ?? '', 300);
  const message =
    `Provider B refused ${what} with ${status} ${code}${reason === '' ? '' : `: ${reason}`}` +
    debugWords(debugId);
  // An answer that is not in provider B's format comes from an intermediary and says nothing.
  const isOwn = body.name !== undefined || body.error !== undefined;
  const isNotFound = isOwn && status === 404;
  // 409: the same request was sent before and is still in progress; its outcome is unknown.
  const final = status >= 400 && status < 500 && ![408, 409, 429].includes(status);
  const isRefused = final && (isOwn || status === 401 || status === 403);
  const kind = isRefused ? 'refused' : 'unavailable';
  throw new ProviderBFailure(kind, isNotFound ? NOT_FOUND : code, message, status, debugId);
}

function readShape<T>(answer: Received, what: string, shape: z.ZodType<T>): T {
  const value = jsonOrUndefined(answer.text);
  const read = shape.safeParse(value);
  if (read.success) return read.data;
  throw new ProviderBFailure(
    'unreadable',
    'answer_unreadable',
    `Provider B answered ${what} in an unknown shape (${problemInWords(read.error)})${debugWords(answer.debugId)}`,
    answer.status,
    answer.debugId,
  );
}

function refusalOf(text: string): z.infer<typeof refusal> {
  const read = refusal.safeParse(jsonOrUndefined(text));
  return read.success ? read.data : {};
}

function jsonOrUndefined(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

function debugWords(debugId: string | null | undefined): string {
  return debugId === null || debugId === undefined ? '.' : ` (debug id ${debugId.slice(0, 64)}).`;
}
