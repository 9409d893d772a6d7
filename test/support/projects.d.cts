export type Project = 'pure' | 'service' | 'temporal';
export function projectOf(file: string): Project;
export function testProjects(): Record<Project, string[]>;
export function importsOf(file: string): { name: string; target: string | undefined }[];
