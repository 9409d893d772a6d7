import { effectiveQuota } from '../../src/domain/quota';
import { d } from './access-cases';

describe('the quota of an entitlement', () => {
  it('is multiplied by the seats only if it says so', () => {
    expect(effectiveQuota(d('100.5'), true, 3)).toBe(d('301.5'));
    expect(effectiveQuota(d('100.5'), false, 3)).toBe(d('100.5'));
  });

  it('stays unlimited with any number of seats', () => {
    expect(effectiveQuota(null, true, 3)).toBeNull();
  });
});
