import type { Client } from 'pg';
import { onServer } from './seed';

/** Postgres settings for counting statements, including their planning time. */
export const STATEMENT_SETTINGS = {
  shared_preload_libraries: 'pg_stat_statements',
  // Including statements of functions and foreign keys.
  'pg_stat_statements.track': 'all',
  'pg_stat_statements.track_planning': 'on',
};

/** Starts counting. The cluster must run with {@link STATEMENT_SETTINGS}. */
export async function startCountingStatements(url: string): Promise<void> {
  await onServer(url, [
    'CREATE EXTENSION IF NOT EXISTS pg_stat_statements',
    'SELECT pg_stat_statements_reset()',
  ]);
}

/** A statement's calls and plans, and their total milliseconds. */
interface StatementRow {
  query: string;
  /** Whether a client sent it. Its time then includes the statements within it. */
  toplevel: boolean;
  calls: string;
  plans: string;
  planMs: number;
  execMs: number;
}

/** Lists the statements sent by a kind of operation, most expensive first, per operation. */
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
