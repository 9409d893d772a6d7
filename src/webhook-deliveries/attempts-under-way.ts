import type { DueEndpoint, UnderWay } from '../domain/webhook-slots';

type Target = Pick<DueEndpoint, 'workspaceId' | 'environment' | 'endpointId'>;

/** Counts the attempts that are under way in this process. */
export class AttemptsUnderWay implements UnderWay {
  total = 0;
  sandboxes = 0;
  private readonly endpoints = new Map<string, number>();
  private readonly environments = new Map<string, number>();
  private waiting: (() => void)[] = [];

  begin(target: Target): void {
    this.change(target, 1);
  }

  end(target: Target): void {
    this.change(target, -1);
    if (this.total > 0) return;
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  ofEnvironment(target: Pick<Target, 'workspaceId' | 'environment'>): number {
    return this.environments.get(placeOf(target)) ?? 0;
  }

  ofEndpoint(endpointId: string): number {
    return this.endpoints.get(endpointId) ?? 0;
  }

  /** Resolves once no attempt is under way. */
  async none(): Promise<void> {
    if (this.total > 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private change(target: Target, by: 1 | -1): void {
    this.total += by;
    if (target.environment === 'sandbox') this.sandboxes += by;
    add(this.endpoints, target.endpointId, by);
    add(this.environments, placeOf(target), by);
  }
}

function placeOf({ workspaceId, environment }: Pick<Target, 'workspaceId' | 'environment'>): string {
  return `${workspaceId} ${environment}`;
}

function add(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
