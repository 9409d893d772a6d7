import { randomUUID } from 'node:crypto';
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
