import { z } from 'zod';
import type { Answer } from './exchange';

const problem = z.looseObject({
  type: z.string().regex(/\/docs\/errors#\w+$/),
  title: z.string().min(5),
  status: z.number(),
  detail: z.string().min(5),
  code: z.string().regex(/^[a-z][a-z0-9_]+$/),
  fix: z.string().min(5),
  requestId: z.string().min(5),
});

/** Text that a message for callers must never contain. */
const INTERNAL =
  /undefined|\[object Object\]|NaN|violates|syntax error|relation "|node_modules|at \w+ \(|tollgate\.\w+_/;

/** Returns why an answer is not allowed to reach a caller; undefined if nothing is wrong with it. */
export function faultOf(
  { status, contentType, body }: Answer,
  sent: { method: string; isCut: boolean; bytes: Buffer },
): string | undefined {
  if (status === 0) return sent.isCut || sent.method === 'CONNECT' ? undefined : 'no answer';
  if (status >= 500 && status !== 503) return `status ${status}: ${body.slice(0, 300)}`;
  if (status < 400 || sent.method === 'HEAD') return undefined;
  if (!contentType.startsWith('application/problem+json')) return `status ${status} as "${contentType}"`;
  let read: unknown;
  try {
    read = JSON.parse(body);
  } catch {
    return `status ${status} whose body is no JSON: ${body.slice(0, 300)}`;
  }
  const judged = problem.safeParse(read);
  if (!judged.success) return `no whole problem: ${body.slice(0, 300)}`;
  if (judged.data.status !== status) return `status ${status} with the problem of ${judged.data.status}`;
  if (!body.isWellFormed()) return `broken characters: ${body.slice(0, 300)}`;
  const { detail } = judged.data;
  const [internal] = INTERNAL.exec(detail) ?? [];
  // The answer may repeat what the caller has sent.
  if (internal === undefined || sent.bytes.includes(internal)) return undefined;
  return `a detail that is not for callers: ${detail}`;
}
