import { MalformedEventError, type CanonicalEvent } from '../../../src/providers/canonical-event';
import { createProviderB } from '../../../src/providers/provider-b/adapter';
import { eventBytes as bytes } from './event-bytes';

const adapter = createProviderB({ now: Date.now });
const readEvent = (raw: Buffer): CanonicalEvent => adapter.readEvent(raw);

describe('events of provider B that are not what they should be', () => {
  it.each<[string, Buffer]>([
    ['no JSON', Buffer.from('id=WH-1&event_type=X')],
    ['nothing', Buffer.alloc(0)],
    ['null', Buffer.from('null')],
    ['a list', Buffer.from('[]')],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['a doubled id', Buffer.from('{"id":"WH-1","id":"WH-2","event_type":"X"}')],
    ['nesting without end', Buffer.from(`{"id":"WH-1","event_type":"X","resource":${'['.repeat(200_000)}`)],
    ['an id that no database stores', bytes('X', {}, { id: 'WH-\u0000' })],
    ['no id', bytes('X', {}, { id: undefined })],
    ['a list for a type', bytes('X', {}, { event_type: ['X'] })],
    ['a subscription without an id', bytes('BILLING.SUBSCRIPTION.UPDATED', { status: 'ACTIVE' })],
    ['a subscription of a strange id', bytes('BILLING.SUBSCRIPTION.UPDATED', { id: '../plans' })],
    ['a resource that is text', bytes('PAYMENT.CAPTURE.COMPLETED', 'paid')],
  ])('are refused as malformed: %s', (_, raw) => {
    expect(() => readEvent(raw)).toThrow(MalformedEventError);
  });

  it('keep amounts exact, and leave out what is no amount of the currency', () => {
    const capture = (value: unknown, currency_code: string): bigint | undefined =>
      readEvent(
        bytes('PAYMENT.CAPTURE.COMPLETED', {
          id: 'C1',
          status: 'COMPLETED',
          amount: { value, currency_code },
        }),
      ).payment?.amount;
    expect(capture('60.0', 'USD')).toBe(6000n);
    expect(capture('90071992547409.93', 'USD')).toBe(9007199254740993n);
    expect(capture('100', 'HUF')).toBe(10000n);
    expect(capture('100', 'TWD')).toBe(10000n);
    expect(capture('100.00', 'JPY')).toBe(100n);
    expect(capture('822.0160', 'CZK')).toBeUndefined();
    expect(capture('100.5', 'JPY')).toBeUndefined();
    expect(capture('1e3', 'USD')).toBeUndefined();
    expect(capture('5.00', 'XXX')).toBeUndefined();
    const literal =
      '{"id":"W","event_type":"PAYMENT.CAPTURE.COMPLETED","resource":{"id":"C","status":"COMPLETED","amount":{"value":90071992547409.930,"currency_code":"USD"}}}';
    expect(readEvent(Buffer.from(literal)).payment?.amount).toBe(9007199254740993n);
  });
});
