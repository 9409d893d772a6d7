/** What the documentation and every problem document say about a code. */
export interface ErrorDefinition {
  /** HTTP status. */
  status: number;
  /** One sentence that is the same each time. */
  title: string;
  /** What the caller can do about it. */
  fix: string;
}
