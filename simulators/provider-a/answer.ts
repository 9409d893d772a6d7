export interface Answer {
  status: number;
  body: unknown;
}

/** The first request of a key; its answer is null while it is running. */
export interface IdempotencyRecord {
  fingerprint: string;
  answer: Answer | null;
  /** Real time: epoch milliseconds. */
  at: number;
}
