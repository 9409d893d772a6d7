import type { Database } from '../db/pools';
import { mapPage, type Page } from '../pagination/cursor';
import { pageByCreation } from '../pagination/page-by-creation';
import type { z } from 'zod';
import type { listQuery } from '../schemas/list';
import { listPlatformAudit } from './platform-audit-list-store';
import { toPlatformAuditResource, type PlatformAuditResource } from './platform-audit-resource';

/** The installation's own audit, for platform administrators. */
export interface PlatformAudit {
  /** @throws TollgateError cursor_invalid */
  list(
    query: z.output<typeof listQuery> & { action?: string | undefined; operatorId?: string | undefined },
  ): Promise<Page<PlatformAuditResource>>;
}

/** A cursor is bound to a workspace, but this audit belongs to none. No workspace has this name. */
const PLATFORM = { workspaceId: 'platform', environment: 'production' } as const;

export function createPlatformAudit(dependencies: {
  database: Database;
  cursorSecret: string;
}): PlatformAudit {
  const { database, cursorSecret: secret } = dependencies;
  return {
    async list({ take, cursor, from, to, ...filters }) {
      const page = await pageByCreation(
        { secret, scope: PLATFORM, list: 'platform-audit', filters, take, cursor, from, to },
        async (rows) =>
          (await listPlatformAudit(database, filters, rows)).map((row) => ({
            ...row,
            createdAt: row.created_at,
          })),
      );
      return mapPage(page, toPlatformAuditResource);
    },
  };
}
