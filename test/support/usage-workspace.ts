import { CatalogueSeeder, type EntitlementSeed } from './catalogue';
import { Integrator } from './integrator';
import { startTestService, type TestService } from './service';
import { createWorkspace, type TestWorkspace } from './workspace';

/** A running service with one workspace, in which each customer has its own plan. */
export class UsageWorkspace {
  private customers = 0;

  private constructor(
    readonly service: TestService,
    readonly workspace: TestWorkspace,
    readonly seed: CatalogueSeeder,
    readonly api: Integrator,
  ) {}

  static async start(): Promise<UsageWorkspace> {
    const service = await startTestService();
    const workspace = await createWorkspace(service.database);
    const seed = new CatalogueSeeder(service.database, workspace.sandbox);
    return new UsageWorkspace(
      service,
      workspace,
      seed,
      new Integrator(service.urls.sandbox, workspace.sandboxKey),
    );
  }

  /** Creates a customer with one active subscription to a plan with these entitlements. */
  async customer(
    ...entitlements: EntitlementSeed[]
  ): Promise<{ externalId: string; customerId: string; subscriptionId: string }> {
    return this.subscribed({}, ...entitlements);
  }

  /** Does the same as `customer`, with some of the subscription's columns set. */
  async subscribed(
    row: Record<string, unknown> & { anchor?: number },
    ...entitlements: EntitlementSeed[]
  ): Promise<{ externalId: string; customerId: string; subscriptionId: string }> {
    this.customers += 1;
    const externalId = `acct_${this.customers}`;
    const plan = await this.seed.plan(`plan-${this.customers}`, entitlements);
    const customerId = await this.seed.customer(externalId);
    return { externalId, customerId, subscriptionId: await this.seed.subscription(customerId, plan, row) };
  }

  async usageOf(externalId: string, feature: string): Promise<unknown> {
    return (await this.api.check(externalId, feature)).body['usage'];
  }

  stop(): Promise<void> {
    return this.service.stop();
  }
}
