/** What one round of load is to do; the parent sends it, the child answers with a RoundResult. */
export interface Round {
  url: string;
  path: string;
  key: string;
  connections: number;
  seconds: number;
  /** How many customers (`c1` … `cN`) the calls go to. */
  customers: number;
  /** Requests a second of all connections together; as many as there can be where it is left out. */
  rate?: number;
  /** Events of each request, for batches. */
  events?: number;
}

export interface RoundResult {
  /** Of batches, the events. */
  requests: number;
  seconds: number;
  /** Milliseconds, with their fractions: alone, a call takes about one. */
  p50: number;
  p99: number;
  failures: number;
}
