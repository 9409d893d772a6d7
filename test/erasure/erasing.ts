import { createErasureSteps, type ErasureSteps } from '../../src/erasure/erasure-steps';
import type { Database } from '../../src/db/pools';
import type { WorkspaceScope } from '../../src/tenancy/actor';
import type { TestDatabase } from '../support/database';
import type { TestService } from '../support/service';
import { until } from '../support/until';

/** The worker's part of an erasure, in the test's process. */
export class Erasing {
  readonly database: Database;
  readonly steps: ErasureSteps;

  constructor(service: TestService) {
    this.database = service.open('tollgate_worker', 3);
    this.steps = createErasureSteps({ database: this.database, clock: service.clock });
  }

  /** Runs all steps, as the workflow does. */
  async finish(scope: WorkspaceScope, erasureId: string): Promise<void> {
    await until(async () => (await this.steps.next(scope, erasureId)).kind === 'complete');
  }
}

/**
 * Returns every table with one of the texts in any column, also as bytes, ignoring case. New columns are therefore
 * searched, too.
 */
export async function tablesNaming(database: TestDatabase, texts: readonly string[]): Promise<string[]> {
  const tables = await database.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
      WHERE table_schema IN ('tollgate', 'graphile_worker') AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const [row] = await database.query<{ named: boolean }>(
      `SELECT EXISTS (SELECT FROM ${name} t, unnest($1::text[]) s
                       WHERE strpos(lower(t::text), lower(s)) > 0
                          OR strpos(lower(t::text), encode(convert_to(s, 'UTF8'), 'hex')) > 0) AS named`,
      [texts],
    );
    // A partition's rows belong to its table.
    if (row?.named === true) found.push(name.replace(/^tollgate\./, '').replace(/_(?:p?\d+|default)$/, ''));
  }
  return [...new Set(found)];
}
