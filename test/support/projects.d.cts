export type Project = 'pure' | 'service' | 'temporal';
export function projectOf(file: string): Project;
export function testProjects(): Record<Project, string[]>;
