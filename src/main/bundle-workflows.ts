import { writeWorkflowBundle } from '../temporal/workflow-code';

/** The last step of a build: writes one file of workflow code, which workers in production run. */
writeWorkflowBundle().then(
  (file) => {
    console.log(file);
  },
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);
