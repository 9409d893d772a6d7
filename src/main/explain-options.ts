import { z } from 'zod';
import { explain } from '../server/explain';

/** Returns the message for the error that ended a command: a line for each invalid option, or the reason otherwise. */
export function explainOptions(error: unknown): string {
  if (!(error instanceof z.ZodError)) return explain(error);
  return error.issues.map((issue) => `--${issue.path.join('.')}: ${issue.message}`).join('\n');
}
