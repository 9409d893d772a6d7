import type { Client } from 'pg';
import { onServer } from './seed';

/** What Postgres loads to count statements, with the time that their planning takes. */
export const STATEMENT_SETTINGS = {
  shared_preload_libraries: 'pg_stat_statements',
  // Those of functions and foreign keys too.
  'pg_stat_statements.track': 'all',
  'pg_stat_statements.track_planning': 'on',
};

/** Counts from here on; the cluster runs with {@link STATEMENT_SETTINGS}. */
export async function startCountingStatements(url: string): Promise<void> {
  await onServer(url, [
    'CREATE EXTENSION IF NOT EXISTS pg_stat_statements',
    'SELECT pg_stat_statements_reset()',
  ]);
}

/** A statement's calls and plans, and the milliseconds that they took in all. */
interface StatementRow {
  query: string;
  /** Whether a client sent it: what it takes has the time of what runs within it. */
  toplevel: boolean;
  calls: string;
  plans: string;
  planMs: number;
  execMs: number;
}

/** Every statement that a kind of operation has sent, the dearest first, per operation. */
export async function formatStatements(admin: Client, kind: string, operations: number): Promise<string> {
  const { rows } = await admin.query<StatementRow>(
    `SELECT regexp_replace(query, '\\s+', ' ', 'g') AS query, toplevel, calls, plans, total_plan_time AS "planMs", total_exec_time AS "execMs"
       FROM pg_stat_statements
      WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
      ORDER BY total_plan_time + total_exec_time DESC`,
  );
  const each = (count: number | string): string => (Number(count) / operations).toFixed(2).padStart(6);
  const sum = (of: (row: StatementRow) => number): number =>
    rows.reduce((total, row) => total + (row.toplevel ? of(row) : 0), 0);
  const lines = rows
    .filter(
      ({ calls, planMs, execMs }) => Number(calls) >= operations / 20 || planMs + execMs >= operations / 200,
    )
    .map(
      ({ query, toplevel, calls, plans, planMs, execMs }) =>
        `${each(calls)} calls ${each(plans)} plans ${each(planMs)} ms plan ${each(execMs)} ms run  ${toplevel ? '' : '  within: '}${query.slice(0, 150)}`,
    );
  const all = `${each(sum(({ calls }) => Number(calls)))} calls ${each(sum(({ plans }) => Number(plans)))} plans ${each(sum(({ planMs }) => planMs))} ms plan ${each(sum(({ execMs }) => execMs))} ms run`;
  return [`${kind}: statements each:`, ...lines, `${all}  in all`].join('\n');
}
