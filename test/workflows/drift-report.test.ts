import { randomUUID } from 'node:crypto';
import { until } from '../support/until';
import type { DriftReportInput } from '../../workflows/drift-report';
import { driftReporting } from './fake-drift-report';
import { SkippedTime } from './time-skipping';
import { useStarted } from '../support/use-started';

const time = useStarted(() => SkippedTime.start());

test('compares all that many connections have in runs that stay short, each part once', async () => {
  const parts = { conn_1: 2, conn_2: 60, conn_3: 3, conn_4: 30, conn_5: 1, conn_6: 20 };
  const { billing, providers, pages } = driftReporting(parts);
  const workflowId = randomUUID();
  await time.working(
    billing,
    async () => {
      const first = await time.start('driftReport', workflowId);
      await time.completed(workflowId);
      const last = time.client.workflow.getHandle(workflowId);
      const { runId, historyLength } = await last.describe();
      expect(runId).not.toBe((await first.describe()).raw.workflowExecutionInfo?.firstRunId);
      expect(historyLength).toBeLessThan(260);
      expect((await last.result()) as DriftReportInput).toEqual({
        after: expect.any(String) as string,
        compared: 116 * 25,
        found: 0,
        gone: 0,
        unread: 0,
        failed: 0,
      });
    },
    providers,
  );
  for (const [connectionId, count] of Object.entries(parts)) {
    const places = [null, ...Array.from({ length: count - 1 }, (_, index) => `sub_${index + 1}`)];
    expect(pages.get(connectionId)).toEqual(places);
  }
});

test.each([3, 90])(
  'ends when an operator cancels it after %d parts, and goes on with nothing',
  async (count) => {
    const { billing, providers, pages } = driftReporting({
      conn_1: 200,
      conn_2: 200,
      conn_3: 200,
      conn_4: 1,
    });
    const workflowId = randomUUID();
    const parts = (): number => [...pages.values()].reduce((sum, { length }) => sum + length, 0);
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const reportDrift: typeof providers.reportDrift = async (part) => {
      if (parts() >= count) await held;
      return providers.reportDrift(part);
    };
    await time.working(
      billing,
      async () => {
        await time.start('driftReport', workflowId);
        await until(() => parts() >= count);
        const { client } = time;
        await client.workflow.getHandle(workflowId).cancel();
        goOn();
        await until(
          async () => (await client.workflow.getHandle(workflowId).describe()).status.name !== 'RUNNING',
        );
        const { status } = await client.workflow.getHandle(workflowId).describe();
        expect(status.name).toBe('CANCELLED');
        expect(pages.has('conn_4')).toBe(false);
        expect(parts()).toBeLessThan(count + 10);
      },
      { reportDrift },
    );
  },
);
