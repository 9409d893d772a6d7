import { KeyedCounts } from '../domain/keyed-counts';
import type { DueEndpoint, UnderWay } from '../domain/webhook-slots';

type Target = Pick<DueEndpoint, 'workspaceId' | 'environment' | 'endpointId'>;

/** Counts the attempts that are under way in this process. */
export class AttemptsUnderWay implements UnderWay {
  sandboxes = 0;
  private readonly endpoints = new KeyedCounts();
  private readonly environments = new KeyedCounts();
  private waiting: (() => void)[] = [];

  get total(): number {
    return this.endpoints.total;
  }

  begin(target: Target): void {
    this.change(target, 1);
  }

  end(target: Target): void {
    this.change(target, -1);
    if (this.total > 0) return;
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  ofEnvironment(target: Pick<Target, 'workspaceId' | 'environment'>): number {
    return this.environments.of(placeOf(target));
  }

  ofEndpoint(endpointId: string): number {
    return this.endpoints.of(endpointId);
  }

  /** Resolves once no attempt is under way. */
  async none(): Promise<void> {
    if (this.total > 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private change(target: Target, by: 1 | -1): void {
    if (target.environment === 'sandbox') this.sandboxes += by;
    this.endpoints.add(target.endpointId, by);
    this.environments.add(placeOf(target), by);
  }
}

function placeOf({ workspaceId, environment }: Pick<Target, 'workspaceId' | 'environment'>): string {
  return `${workspaceId} ${environment}`;
}
