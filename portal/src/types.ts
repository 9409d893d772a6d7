import type { PortalPreview } from '../../src/portal/portal-preview';

export type { PayLink as PortalPayLink } from '../../src/portal/pay-link';
export type { PortalOutcome } from '../../src/portal/portal-outcome';
export type { PortalDone, PortalPreview, PortalUnderWay } from '../../src/portal/portal-preview';
export type { PortalSubscription, PortalView } from '../../src/portal/portal-view-schema';

export interface PortalChangeBody {
  planSlug?: string;
  seats?: number;
  /** The terms that the page showed. */
  shown?: Pick<PortalPreview, 'effective' | 'effectiveAt' | 'withdraws'> & { dueNow: string };
}
