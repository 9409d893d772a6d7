import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { signedHeaders } from '../../src/webhook-deliveries/signature';
import { newSecret } from '../../src/webhook-endpoints/sealed-secret';

test('the vector of the published library’s own tests', () => {
  const headers = signedHeaders(
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    { messageId: 'msg_p5jXN8AQM9LWM0D4loKWxJek', payload: '{"test": 2432232314}' },
    1_614_265_330_999,
  );
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('whatever is sent verifies by each secret, and is what the standard says', () => {
  const secrets = [newSecret(), newSecret()];
  fc.assert(
    fc.property(fc.json(), (payload) => {
      const now = Date.now();
      const headers = signedHeaders(secrets, { messageId: 'msg_1', payload }, now);
      for (const secret of secrets)
        expect(new Webhook(secret).verify(payload, headers)).toEqual(JSON.parse(payload));
      const key = Buffer.from((secrets[0] ?? '').slice('whsec_'.length), 'base64');
      const signed = `msg_1.${Math.floor(now / 1_000)}.${payload}`;
      const expected = createHmac('sha256', key).update(signed).digest('base64');
      expect(headers['webhook-signature']?.split(' ')[0]).toBe(`v1,${expected}`);
    }),
  );
});
