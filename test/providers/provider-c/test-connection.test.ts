import { providerC } from '../../../src/providers/provider-c/adapter';
import { startProviderC, type Harness } from '../../simulators/provider-c-harness';

let c: Harness;
beforeAll(async () => {
  c = await startProviderC();
});
afterAll(() => c.stop());

const results = async (access: Harness['access']) =>
  Object.fromEntries((await providerC.testConnection(access)).map(({ check, ok }) => [check, ok]));

describe('testing a connection to provider C', () => {
  it('is well when the key is accepted, is for the mode, and the plans are there', async () => {
    const settings = { planReferences: { plan_1: 'PLN_monthly', pro: 'PLN_hourly' } };
    expect(await results({ ...c.access, settings })).toEqual({
      authentication: true,
      webhook: true,
      plan_references: true,
      mode: true,
    });
  });

  it('names the plan that is not there', async () => {
    const settings = { planReferences: { plan_1: 'PLN_monthly', pro: 'PLN_gone' } };
    const checks = await providerC.testConnection({ ...c.access, settings });
    const plans = checks.find(({ check }) => check === 'plan_references');
    expect(plans).toMatchObject({ ok: false, message: '1 of 2 plans exist. PLN_gone: Plan not found' });
  });

  it('reports a refused key, and one of the other mode', async () => {
    const settings = { planReferences: { pro: 'PLN_monthly' } };
    const refused = { ...c.access, settings, secrets: { secretKey: 'sk_test_stranger' } };
    expect(await results(refused)).toEqual({
      authentication: false,
      webhook: true,
      plan_references: false,
      mode: true,
    });
    expect(await results({ ...c.access, apiMode: 'live' })).toMatchObject({
      authentication: true,
      mode: false,
    });
  });

  it('reports a missing key, and shows no key in any message', async () => {
    expect(await results({ ...c.access, secrets: {} })).toEqual({
      authentication: false,
      webhook: false,
      plan_references: true,
      mode: false,
    });
    const checks = await providerC.testConnection(c.access);
    expect(JSON.stringify(checks)).not.toContain(c.access.secrets['secretKey']);
  });
});
