import type { z } from 'zod';
import type { links } from './values';

/** An order with a payment source calls the link `payer-action`; everything else calls it `approve`. */
const APPROVAL = new Set(['approve', 'payer-action']);

/** Returns the page where the customer approves; null if there is nothing to approve. */
export function approvalLink(all: z.infer<typeof links>): string | null {
  const href = all?.find(({ rel }) => APPROVAL.has(rel))?.href;
  return href !== undefined && /^https?:\/\//.test(href) && URL.canParse(href) ? href : null;
}
