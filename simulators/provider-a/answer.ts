export interface Answer {
  status: number;
  body: unknown;
}

/** The first request with a key; its answer is null while it is running. */
export interface IdempotencyRecord {
  fingerprint: string;
  answer: Answer | null;
  /** Real time: epoch milliseconds. */
  at: number;
}
