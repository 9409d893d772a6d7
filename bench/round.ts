/** Instructions of one round of load. The parent sends it, the child answers with a RoundResult. */
export interface Round {
  url: string;
  path: string;
  key: string;
  connections: number;
  seconds: number;
  /** How many customers (`c1` … `cN`) the calls use. */
  customers: number;
  /** Requests per second of all connections together; unlimited if omitted. */
  rate?: number;
  /** Events per request, for batches. */
  events?: number;
}

export interface RoundResult {
  /** For batches, the events. */
  requests: number;
  seconds: number;
  /** Milliseconds with fractions, because a single call takes about one. */
  p50: number;
  p99: number;
  failures: number;
}
