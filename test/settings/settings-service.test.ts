import { logIn } from '../support/operator';
import { useService } from '../support/use-service';

const service = useService();

const path = '/api/billing/settings';
const whole = {
  defaultCurrency: 'EUR',
  timeZone: 'Europe/Berlin',
  taxBehavior: 'inclusive',
  taxRates: [
    { name: 'MwSt.', rate: '0.19', country: 'DE' },
    { name: 'VAT', rate: '0.2' },
  ],
  invoiceProfile: {
    legalName: 'Acme GmbH',
    address: 'Street 1\n10115 Berlin',
    taxId: 'DE123',
    email: 'billing@acme.test',
  },
  defaultProvider: 'provider_a',
  pastDueAfterDays: 0,
  graceDays: 14,
  expireAfterDays: 14,
};

test('are replaced and changed, each environment for itself, and audited', async () => {
  const admin = await logIn(service, { role: 'admin' });
  expect(await admin.put(path, { body: whole })).toMatchObject({ status: 200, body: whole });
  expect((await admin.get(path)).body).toMatchObject(whole);
  expect((await admin.get(path, { env: 'production' })).body).toMatchObject({
    defaultCurrency: 'USD',
    timeZone: 'UTC',
  });

  const changed = await admin.patch(path, {
    body: { timeZone: 'America/Argentina/Buenos_Aires', taxRates: [] },
  });
  expect(changed.body).toMatchObject({ ...whole, timeZone: 'America/Argentina/Buenos_Aires', taxRates: [] });
  expect((await admin.patch(path, { body: {} })).status).toBe(200);

  const audit = await admin.get('/api/audit', { query: { action: 'settings.changed' } });
  expect(audit.body['data']).toMatchObject([
    {
      detail: { timeZone: { from: 'Europe/Berlin', to: 'America/Argentina/Buenos_Aires' } },
      environment: 'sandbox',
    },
    { detail: { defaultCurrency: { from: 'USD', to: 'EUR' } } },
  ]);
});

test.each<[object, string]>([
  [{ defaultCurrency: 'usd' }, '/defaultCurrency'],
  [{ defaultCurrency: 'XXX' }, '/defaultCurrency'],
  [{ timeZone: 'Mars/Phobos' }, '/timeZone'],
  [{ timeZone: '+02:00' }, '/timeZone'],
  [{ timeZone: '' }, '/timeZone'],
  [{ taxBehavior: 'maybe' }, '/taxBehavior'],
  [{ taxRates: [{ name: 'VAT', rate: 0.2 }] }, '/taxRates/0/rate'],
  [{ taxRates: [{ name: 'VAT', rate: '19' }] }, '/taxRates/0/rate'],
  [{ taxRates: [{ name: 'VAT', rate: '-0.1' }] }, '/taxRates/0/rate'],
  [{ taxRates: [{ name: 'VAT', rate: '0.1234567' }] }, '/taxRates/0/rate'],
  [{ taxRates: [{ name: 'VAT', rate: '0.2', country: 'Germany' }] }, '/taxRates/0/country'],
  [
    {
      taxRates: [
        { name: 'VAT', rate: '0.2' },
        { name: 'VAT', rate: '0.1' },
      ],
    },
    '/taxRates',
  ],
  [{ invoiceProfile: { footer: 'nul \0' } }, '/invoiceProfile/footer'],
  [{ invoiceProfile: { email: 'nobody' } }, '/invoiceProfile/email'],
  [{ invoiceProfile: { fax: '1' } }, '/invoiceProfile/fax'],
  [{ defaultProvider: 'provider_z' }, '/defaultProvider'],
  [{ graceDays: -1 }, '/graceDays'],
  [{ graceDays: 1.5 }, '/graceDays'],
  [{ graceDays: '7' }, '/graceDays'],
  [{ graceDays: null }, '/graceDays'],
  [{ graceDays: 31 }, '/expireAfterDays'],
  [{ expireAfterDays: 6 }, '/expireAfterDays'],
  [{ color: 'red' }, '/color'],
])('%j is refused, and nothing changes', async (body, pointer) => {
  const admin = await logIn(service, { role: 'admin' });
  const before = (await admin.get(path)).body;
  const answer = await admin.patch(path, { body });
  expect(answer.status).toBe(400);
  const findings = (answer.body['errors'] ?? [{ pointer: '' }]) as { pointer: string }[];
  expect(new Set(findings.map((finding) => finding.pointer))).toEqual(new Set([pointer]));
  expect((await admin.get(path)).body).toEqual(before);
});

test('a replacement names everything', async () => {
  const admin = await logIn(service, { role: 'admin' });
  const rest = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== 'timeZone'));
  expect(await admin.put(path, { body: rest })).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '/timeZone' }] },
  });
});

test('two admins who change different settings at once both prevail', async () => {
  const admin = await logIn(service, { role: 'admin' });
  await Promise.all([
    admin.patch(path, { body: { pastDueAfterDays: 3 } }),
    admin.patch(path, { body: { graceDays: 5 } }),
    admin.patch(path, { body: { expireAfterDays: 60 } }),
  ]);
  expect((await admin.get(path)).body).toMatchObject({
    pastDueAfterDays: 3,
    graceDays: 5,
    expireAfterDays: 60,
  });
});
