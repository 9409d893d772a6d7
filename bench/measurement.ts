import type { RoundResult } from './round';
import { percentile } from './percentile';

/** Result of one load, over all its slices. Durations are milliseconds. */
export interface Measurement {
  name: string;
  connections: number;
  requests: number;
  seconds: number;
  /** The medians of the slices' own percentiles. */
  p50: number;
  p99: number;
  failures: number;
  /** CPU milliseconds of the processes that answered. */
  cpu: { service: number; postgres: number };
}

export interface Slice extends RoundResult {
  cpu: Measurement['cpu'];
}

/** Sums up the slices of one load. */
export function measurementOf(name: string, connections: number, slices: readonly Slice[]): Measurement {
  const sum = (of: (slice: Slice) => number): number => slices.reduce((total, slice) => total + of(slice), 0);
  return {
    name,
    connections,
    requests: sum((slice) => slice.requests),
    seconds: sum((slice) => slice.seconds),
    p50: percentile(
      slices.map((slice) => slice.p50),
      0.5,
    ),
    p99: percentile(
      slices.map((slice) => slice.p99),
      0.5,
    ),
    failures: sum((slice) => slice.failures),
    cpu: { service: sum((slice) => slice.cpu.service), postgres: sum((slice) => slice.cpu.postgres) },
  };
}

export const rateOf = ({ requests, seconds }: Measurement): number => requests / seconds;

const HEADINGS = [
  'connections',
  'load'.padEnd(25),
  'requests/s',
  'of bare Koa',
  'of the stack',
  'p50 ms',
  'p99 ms',
  'CPU ms a request: service + Postgres',
  'failures',
];

/** Returns the table's first line. */
export const headings = (): string => HEADINGS.join('  ');

/** Returns a line of the table: the load's figures, and its rate over that of each yardstick. */
export function lineOf(measured: Measurement, bareKoa: Measurement, sameStack: Measurement): string {
  const rate = rateOf(measured);
  const service = measured.cpu.service / measured.requests;
  const postgres = measured.cpu.postgres / measured.requests;
  const cells = [
    String(measured.connections),
    measured.name.padEnd(25),
    rate.toFixed(0),
    (rate / rateOf(bareKoa)).toFixed(2),
    (rate / rateOf(sameStack)).toFixed(2),
    measured.p50.toFixed(2),
    measured.p99.toFixed(2),
    `${(service + postgres).toFixed(3)} = ${service.toFixed(3)} + ${postgres.toFixed(3)}`,
    String(measured.failures),
  ];
  return cells.map((cell, index) => cell.padStart(HEADINGS[index]?.length ?? 0)).join('  ');
}
