import { logIn } from '../support/operator';
import { useService } from '../support/use-service';

/** Section 5, row 3: API keys are secret and never appear in browser or mobile application code. */
const service = useService();

test('a key is in the answer that makes it, and in no answer, table or audit record after it', async () => {
  const client = await logIn(service, { role: 'owner' });
  const { body } = await client.post('/api/api-keys', { body: { name: 'Backend' } });
  const secret = String(body['secret']);
  const answers = await Promise.all([client.get('/api/api-keys'), client.get('/api/audit')]);
  const tables = await service.database.query(
    `SELECT to_jsonb(k)::text AS row FROM tollgate.api_keys k UNION ALL SELECT to_jsonb(a)::text FROM tollgate.audit_records a`,
  );
  for (const place of [...answers.map((answer) => answer.body), tables]) {
    const text = JSON.stringify(place);
    expect(text).not.toContain(secret);
    // Nor its secret part, of which the list shows the last four characters.
    expect(text).not.toContain(secret.slice('svc_test_'.length, -4));
  }
});

test('a page of another origin may not read the API: no host answers a browser’s preflight', async () => {
  for (const host of Object.values(service.urls)) {
    const preflight = await fetch(`${host}/v1/usage/check`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://shop.test',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization',
      },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
    const read = await fetch(`${host}/v1/events`, { headers: { Origin: 'https://shop.test' } });
    expect(read.headers.get('access-control-allow-origin')).toBeNull();
  }
});

test('answers are not kept by caches', async () => {
  const client = await logIn(service, { role: 'owner' });
  const { headers } = await client.post('/api/api-keys', { body: { name: 'Backend' } });
  expect(headers.get('cache-control')).toBe('no-store');
});
