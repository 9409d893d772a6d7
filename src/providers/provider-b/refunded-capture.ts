import type { z } from 'zod';
import type { refundOrigin } from './schemas';

const CAPTURE_PATH = /^\/v2\/payments\/captures\/([A-Za-z0-9-]{1,64})$/;

/**
 * Returns the capture of a refund: its related id, otherwise the path of its `up` link. The `up` link of other objects
 * leads to an order or an authorization, so the kind in the path is checked; the host varies, and the link is never
 * fetched.
 */
export function captureOfRefund(refund: z.infer<typeof refundOrigin>): string | null {
  const related = refund.supplementary_data?.related_ids?.capture_id;
  if (related !== undefined && related !== null) return related;
  for (const { href } of refund.links?.filter(({ rel }) => rel === 'up') ?? []) {
    const capture = CAPTURE_PATH.exec(URL.canParse(href) ? new URL(href).pathname : '')?.[1];
    if (capture !== undefined) return capture;
  }
  return null;
}
