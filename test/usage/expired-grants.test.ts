import { randomUUID } from 'node:crypto';
import { readContext, type ContextRow } from '../../src/usage/usage-context-store';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/instant';
import { UsageWorkspace } from '../support/usage-workspace';
import { useStarted } from '../support/use-started';

const usage = useStarted(() => UsageWorkspace.start());

const paid = { feature: 'ai_tokens', quota: 0, creditCost: 1 };

test('grants that expired too long ago to be held are not read, however many they are', async () => {
  const { externalId, customerId } = await usage.customer(paid);
  const now = Date.now();
  await usage.seed.credits(customerId, 10);
  await usage.seed.credits(customerId, 20, new Date(now + HOUR_MS));
  await usage.seed.credits(customerId, 30, new Date(now - MINUTE_MS));
  await usage.seed.credits(customerId, 40, new Date(now - 26 * HOUR_MS));
  const query = readContext(usage.workspace.sandbox, [{ externalId, feature: 'ai_tokens' }], now);
  const read = async (): Promise<number[]> => {
    const [row] = await usage.service.database.query<ContextRow>(query.text, [...query.values]);
    return (row?.credits ?? []).map(({ amount }) => Number(amount)).sort((a, b) => a - b);
  };
  expect(await read()).toEqual([10, 20, 30]);
  // According to the sandbox's own clock.
  await usage.service.database.query(
    `INSERT INTO tollgate.sandbox_clocks (workspace_id, environment, offset_ms, updated_at) VALUES ($1, 'sandbox', $2, now())
     ON CONFLICT (workspace_id, environment) DO UPDATE SET offset_ms = EXCLUDED.offset_ms`,
    [usage.workspace.workspaceId, 27 * HOUR_MS],
  );
  expect(await read()).toEqual([10]);
  await usage.service.database.query('DELETE FROM tollgate.sandbox_clocks WHERE workspace_id = $1', [
    usage.workspace.workspaceId,
  ]);
  expect((await usage.api.check(externalId, 'ai_tokens')).body['creditBalance']).toBe(30);
});

test('reserved units of a grant that has expired since are paid from it', async () => {
  const { externalId, customerId } = await usage.customer(paid);
  const grantId = await usage.seed.credits(customerId, 10);
  const held = await usage.api.send('POST', '/v1/usage/check', {
    externalId,
    feature: 'ai_tokens',
    quantity: 4,
    reserve: { expiresInSeconds: 86_400 },
  });
  // As if a day less a minute had passed, as the rows show it.
  await usage.service.database.query('UPDATE tollgate.credit_grants SET expires_at = $2 WHERE id = $1', [
    grantId,
    new Date(Date.now() - DAY_MS + MINUTE_MS),
  ]);
  const { reservationId } = held.body;
  const used = await usage.api.track(externalId, 'ai_tokens', 4, randomUUID(), { reservationId });
  expect(used.body['deductions']).toMatchObject([{ from: 'credits', quantity: 4, grantId }]);
  const [row] = await usage.service.database.query<{ remaining: string }>(
    'SELECT remaining FROM tollgate.credit_grants WHERE id = $1',
    [grantId],
  );
  expect(Number(row?.remaining)).toBe(6);
});
