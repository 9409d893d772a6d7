export interface Plan {
  use?: string;
  named?: string | undefined;
  tries?: string[];
  otherwise?: string;
}
export function planTemporalCli(there: {
  given?: string;
  onPath?: string;
  cached?: string;
  download: boolean;
  go: boolean;
}): Plan;
export function planTestServer(there: {
  given?: string;
  cached?: string;
  download: boolean;
  maven: boolean;
  java: boolean;
}): Plan;
export function planClientPython(there: {
  given?: string;
  version?: string;
  cached?: string;
  pip?: boolean;
  venv?: boolean;
}): Plan;
export function planDebianProgram(
  there: { given?: string; onPath?: string; cached?: string; apt: boolean },
  tool: { program: string; variable: string; package: string },
): Plan;
