/**
 * Temporal's SDK takes a stack trace of every promise that a workflow makes, and formatting ten frames of each took a
 * third of a workflow task. An error names the place where it was thrown, and no more.
 */
Reflect.set(Error, 'stackTraceLimit', 1);
