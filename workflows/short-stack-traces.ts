/**
 * Temporal's SDK captures a stack trace for every promise of a workflow. Formatting ten frames of each took a third of
 * a workflow task, so an error keeps only the frame that threw it.
 */
Reflect.set(Error, 'stackTraceLimit', 1);
