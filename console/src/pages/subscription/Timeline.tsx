import { Button, Center, Text, Timeline as Line } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Subscription, SubscriptionTimeline } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { Panel } from '../../ui/Panel';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { Sentence } from '../../ui/Sentence';
import { Time } from '../../ui/Time';
import { useOlder } from '../../ui/use-older';
import { clockQuery } from '../../app/clock-query';
import { timelineQuery } from './queries';
import classes from './Timeline.module.css';
import { Loading } from '../../ui/Loading';

/** Number of upcoming steps shown initially. */
const NEXT = 4;

/**
 * Upcoming steps, dashed, above a line for the present, and the history below it. The closest ones are next to the
 * line.
 */
export function Timeline({ subscription }: { subscription: Subscription }) {
  const { query } = useWorkspace();
  const [isWhole, setWhole] = useState(false);
  const options = timelineQuery(query, subscription.id);
  const timeline = useInfiniteQuery(options);
  const older = useOlder(timeline, options.queryKey);
  const clock = useQuery(clockQuery(query));
  const [openedAt] = useState(() => new Date().toISOString());
  const now = clock.data?.now ?? openedAt;
  const pages = timeline.data?.pages ?? [];
  const all = pages[0]?.upcoming ?? [];
  const upcoming = isWhole ? all : all.slice(0, NEXT);
  const past = pages.flatMap((page) => page.data);
  return (
    <Panel title="Timeline">
      {timeline.isPending && (
        <Center py="md">
          <Loading label="Loading the timeline" />
        </Center>
      )}
      {timeline.isError && <ProblemPanel error={timeline.error} retry={() => void timeline.refetch()} />}
      {timeline.isSuccess && (
        <>
          {upcoming.length < all.length && (
            <Button variant="default" size="compact-sm" mb="sm" onClick={() => setWhole(true)}>
              {all.length - upcoming.length} later steps
            </Button>
          )}
          <Line bulletSize={14} lineWidth={2} aria-label="Timeline, the future first">
            {upcoming.toReversed().map((step) => (
              <Line.Item
                key={`${step.at} ${step.kind}`}
                lineVariant="dashed"
                title={<Step step={step} />}
                bullet={<span className={classes.future} />}
              >
                <Text size="xs" c="dimmed">
                  <Time at={step.at} from={Date.parse(now)} />
                </Text>
              </Line.Item>
            ))}
            <Line.Item title={<b>Now</b>} className={classes.now} color="toll">
              <Text size="xs" c="dimmed">
                <Time at={now} />
                {clock.data !== undefined && clock.data.offsetMs > 0 && ' by the sandbox’s clock'}
              </Text>
            </Line.Item>
            {past.map((entry) => (
              <Line.Item
                key={entry.id}
                title={
                  <Text size="sm">
                    <Sentence text={entry.message} />
                  </Text>
                }
              >
                <Text size="xs" c="dimmed">
                  <Time at={entry.at} precision="second" />
                </Text>
              </Line.Item>
            ))}
          </Line>
          {timeline.hasNextPage && (
            <Center mt="sm">
              <Button variant="default" size="xs" loading={older.isBusy} onClick={older.fetch}>
                Older
              </Button>
            </Center>
          )}
        </>
      )}
    </Panel>
  );
}

function Step({ step }: { step: SubscriptionTimeline['upcoming'][number] }) {
  return (
    <Text size="sm">
      <Sentence text={step.message} />
    </Text>
  );
}
