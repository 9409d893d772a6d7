export interface Answer {
  status: number;
  body: unknown;
}

/** What became of a key's first request; the answer is null while that is under way. */
export interface IdempotencyRecord {
  fingerprint: string;
  answer: Answer | null;
  /** Real time: epoch milliseconds. */
  at: number;
}
