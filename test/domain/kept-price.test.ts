import { pricesOfRenewal } from '../../src/domain/kept-price';
import { ON_PRO } from './provider-row';

/** The prices that provider A is sent for a renewal, by what it shows before they are sent. */
const onPro = { planId: ON_PRO.planId, unitAmount: 3000n };
const toStarter = { ...onPro, scheduled: { planId: 'plan_starter' } };
const toMoreSeats = { ...onPro, scheduled: { planId: ON_PRO.planId } };
const [own, sent] = ['price_pro_old', 'price_starter'];
const shows = (planReference: string | null, unitAmount?: string) => ({
  planReference,
  ...(unitAmount !== undefined && { unitAmount }),
});
const unread = (planReference: string) => ({ ownReference: undefined, planReference });

it('what is shown before the first attempt is the subscription’s own price', () => {
  const prices = { ownReference: own, planReference: sent };
  expect(pricesOfRenewal(toStarter, unread(sent), null, shows(own, '3000'))).toEqual(prices);
  const corrected = { ownReference: 'price_before', planReference: sent };
  expect(pricesOfRenewal(toStarter, corrected, null, shows(own, '3000'))).toEqual(prices);
});

it('other seats keep the price that is shown, if it costs what the subscription pays', () => {
  const seats = (shown: ReturnType<typeof shows>) =>
    pricesOfRenewal(toMoreSeats, unread('price_pro'), null, shown).planReference;
  expect(seats(shows(own, '3000'))).toBe(own);
  expect(seats(shows(own))).toBe(own);
  expect(seats(shows(own, '3500'))).toBe('price_pro');
});

it('what is shown after an attempt may be what that sent, and is no price of the subscription’s own', () => {
  expect(pricesOfRenewal(toStarter, unread(sent), sent, shows(sent, '1000'))).toEqual(unread(sent));
  const known = { ownReference: own, planReference: sent };
  expect(pricesOfRenewal(toStarter, known, sent, shows(sent, '1000'))).toEqual(known);
  expect(pricesOfRenewal(toStarter, known, sent, shows('price_other', '3000'))).toEqual(known);
});

it('an attempt that did not arrive, and recorded no own price, leaves it shown', () => {
  expect(pricesOfRenewal(toStarter, unread(sent), sent, shows(own, '3000'))).toEqual({
    ownReference: own,
    planReference: sent,
  });
  // Another plan was sent before: what is shown may be that, or the price before it.
  expect(pricesOfRenewal(toStarter, unread(sent), 'price_large', shows(own, '3000'))).toEqual(unread(sent));
});

it('nothing is learned from a subscription whose price is not shown', () => {
  expect(pricesOfRenewal(toMoreSeats, unread('price_pro'), null, shows(null))).toEqual(unread('price_pro'));
});
