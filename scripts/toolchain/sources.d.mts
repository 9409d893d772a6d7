export interface Plan {
  use?: string;
  named?: string | undefined;
  tries?: string[];
  otherwise?: string;
}
export function planTemporalCli(there: {
  configured?: string;
  onPath?: string;
  cached?: string;
  download: boolean;
  go: boolean;
}): Plan;
export function planTestServer(there: {
  configured?: string;
  cached?: string;
  download: boolean;
  maven: boolean;
  java: boolean;
}): Plan;
export function planClientPython(there: {
  configured?: string;
  version?: string;
  cached?: string;
  pip?: boolean;
  venv?: boolean;
}): Plan;
export function planDebianProgram(
  there: { configured?: string; onPath?: string; cached?: string; apt: boolean },
  tool: { program: string; variable: string; package: string },
): Plan;
