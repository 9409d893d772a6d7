export function sourcesOf(page: 'console' | 'portal'): Promise<string[]>;
