import { MONTH } from './series-seed';

/** A series as requested by a chart. */
interface SeriesCall {
  name: string;
  query: Readonly<Record<string, string>>;
}

const month = { from: new Date(MONTH.from).toISOString(), to: new Date(MONTH.to).toISOString() };
const day = {
  from: new Date(MONTH.from + 864_000_000).toISOString(),
  to: new Date(MONTH.from + 950_400_000).toISOString(),
};
const call = (name: string, query: SeriesCall['query']): SeriesCall => ({
  name,
  query: { ...month, interval: 'day', timeZone: 'UTC', ...query },
});

/** Series of a month of the workspace, and of a day of it. */
export const SERIES: readonly SeriesCall[] = [
  call('all, by day', {}),
  call('all, by hour', { interval: 'hour' }),
  call('a feature, by hour', { interval: 'hour', feature: 'api_calls' }),
  call('by feature, by day', { groupBy: 'feature' }),
  call('by feature, by day, Kolkata', { groupBy: 'feature', timeZone: 'Asia/Kolkata' }),
  call('top customers, by day', { groupBy: 'customer' }),
  call('top customers, by day, Berlin', { groupBy: 'customer', timeZone: 'Europe/Berlin' }),
  call('top customers of a feature, by day, New York', {
    groupBy: 'customer',
    feature: 'ai_tokens',
    timeZone: 'America/New_York',
  }),
  call('top customers of a day, by hour, Berlin', {
    ...day,
    groupBy: 'customer',
    interval: 'hour',
    timeZone: 'Europe/Berlin',
  }),
  call('by model, by day', { groupBy: 'dimension', dimension: 'model', feature: 'ai_tokens' }),
  call('by model, by day, Kathmandu', {
    groupBy: 'dimension',
    dimension: 'model',
    feature: 'ai_tokens',
    timeZone: 'Asia/Kathmandu',
  }),
  call('the largest customer, by hour', { interval: 'hour', customer: 'c1' }),
  call('the largest customer, by feature, by day', { groupBy: 'feature', customer: 'c1' }),
  call('the largest customer, by model, by day', {
    groupBy: 'dimension',
    dimension: 'model',
    feature: 'ai_tokens',
    customer: 'c1',
  }),
];
