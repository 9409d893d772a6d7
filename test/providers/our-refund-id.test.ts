import { factsOfRefund } from '../../src/providers/provider-a/refund-facts';
import { refundWire } from '../../src/providers/provider-a/schemas';
import { refundFacts as factsOfB, saleRefundFacts } from '../../src/providers/provider-b/refund-facts';
import { refundObject, saleRefundObject } from '../../src/providers/provider-b/schemas';
import { refundFacts as factsOfC } from '../../src/providers/provider-c/refund-facts';
import { refund as refundOfC } from '../../src/providers/provider-c/schemas';

/** A refund is found by our id in the field in which it was sent, and by nothing else that the field may hold. */
const OURS = 'ref_01kz0000000000000000000000';

const ofA = (refundId: string) =>
  factsOfRefund(
    refundWire.parse({
      id: 're_1',
      amount: 700,
      currency: 'usd',
      payment_intent: 'pi_1',
      metadata: { refundId },
    }),
  );
const ofCapture = (note: string) =>
  factsOfB(
    refundObject.parse({
      id: 'R',
      status: 'COMPLETED',
      amount: { value: '7.00', currency_code: 'USD' },
      custom_id: note,
    }),
    'CAPTURE',
  );
const ofSale = (note: string) =>
  saleRefundFacts(
    saleRefundObject.parse({
      id: 'R',
      state: 'completed',
      amount: { total: '7.00', currency: 'USD' },
      sale_id: 'SALE',
      invoice_number: note,
    }),
  );
const ofC = (note: string) => {
  const wire = {
    id: 1,
    transaction: 2,
    amount: 700,
    currency: 'NGN',
    status: 'pending',
    merchant_note: note,
  };
  const facts = factsOfC(refundOfC.parse(wire), 'TRANSACTION', null);
  return 'value' in facts ? facts.value : undefined;
};

test.each([
  ['A', ofA],
  ['B, of a capture', ofCapture],
  ['B, of a sale', ofSale],
  ['C', ofC],
])('provider %s', (_, read) => {
  expect(read(OURS)?.refundId).toBe(OURS);
  // What B copies from the capture, and what people write.
  for (const other of [OURS.replace('ref_', 'chk_'), 'ref_1', `${OURS}\0`, '']) {
    expect(read(other)).not.toHaveProperty('refundId');
    expect(read(other)).toBeDefined();
  }
});
