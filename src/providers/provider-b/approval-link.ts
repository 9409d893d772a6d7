import type { z } from 'zod';
import type { links } from './values';

/** An order that names how it is paid calls the link `payer-action`; everything else calls it `approve`. */
const APPROVAL = new Set(['approve', 'payer-action']);

/** Where the customer goes to agree; null when there is nothing to agree to. */
export function approvalLink(all: z.infer<typeof links>): string | null {
  const href = all?.find(({ rel }) => APPROVAL.has(rel))?.href;
  return href !== undefined && /^https?:\/\//.test(href) && URL.canParse(href) ? href : null;
}
