export interface Changes {
  present: string[];
  removed: string[];
}
export function changesIn(directory: string): Promise<Changes>;
export function planCheck(changes: Changes): {
  format: string[];
  lint: string[];
  types: boolean;
  boundaries: boolean;
  related: string[];
};
