import {
  keepsShownPrice,
  ownReferenceOf,
  pricesOfRenewal,
  referenceToSend,
} from '../../src/domain/kept-price';
import { ON_PRO, planAtProvider, plansAtProvider, syncMarker } from './provider-row';

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

it('the reference that is sent is the plan’s, or for other seats the own price that an earlier attempt found', () => {
  const { planId } = ON_PRO;
  const after = (sync: ReturnType<typeof syncMarker> | null) => ({ planId, work: { sync } });
  const [seats, starter] = [
    { planId, seats: 1 },
    { planId: 'plan_starter', seats: 1 },
  ];
  expect(referenceToSend(after(null), seats, 'price_pro')).toBe('price_pro');
  const kept = syncMarker({ planId, planReference: own, ownReference: own });
  expect(referenceToSend(after(kept), seats, 'price_pro')).toBe(own);
  // The own price was not what the subscription pays, so the plan’s was sent.
  const corrected = { ...kept, planReference: 'price_pro' };
  expect(referenceToSend(after(corrected), seats, 'price_pro')).toBe('price_pro');
  const other = syncMarker({ planReference: sent, ownReference: own });
  expect(referenceToSend(after(other), seats, 'price_pro')).toBe(own);
  expect(referenceToSend(after({ ...other, ownReference: undefined }), seats, 'price_pro')).toBe('price_pro');
  expect(referenceToSend(after(kept), starter, 'price_starter_new')).toBe('price_starter_new');
  expect(referenceToSend(after(other), starter, 'price_starter_new')).toBe('price_starter_new');
});

it('a plan without a reference sends nothing, and keeps what an attempt may have sent for the same terms', () => {
  const after = { planId: ON_PRO.planId, work: { sync: syncMarker({ planReference: sent }) } };
  expect(referenceToSend(after, { planId: 'plan_starter', seats: 1 }, '')).toBe(sent);
  expect(referenceToSend(after, { planId: 'plan_starter', seats: 2 }, '')).toBe('');
});

it('seats that are charged now leave a price that no plan has, or that is the subscription’s', () => {
  expect(keepsShownPrice({ amount: '2500', isListed: false }, '3000')).toBe(true);
  expect(keepsShownPrice({ amount: '3000', isListed: true }, '3000')).toBe(true);
  expect(keepsShownPrice({ amount: '3500', isListed: true }, '3000')).toBe(false);
});

it('the own price to return to was shown before, or is one that the plan had while it cost as much', () => {
  const { planId } = ON_PRO;
  const named = { planReference: `ref_${planId}`, formerReferences: [] as string[] };
  const plans = {
    ...plansAtProvider([planAtProvider('pro', 3500n), planAtProvider('starter', 3000n)]),
    formerPricesOf: () =>
      [own, 'price_pro_oldest', named.planReference, 'ref_plan_starter'].map((reference) => ({
        reference,
        amount: reference === 'price_pro_oldest' ? 2500n : 3000n,
      })),
  };
  const ownOf = (ownReference?: string, unitAmount = 3000n) => {
    const sync = ownReference === undefined ? null : syncMarker({ ownReference });
    return ownReferenceOf({ planId, unitAmount, planUnitAmount: 3500n, work: { sync } }, plans);
  };
  expect(ownOf(own)).toEqual({ planReference: own, formerReferences: [] });
  expect(ownOf()).toEqual({ ...named, formerReferences: [own] });
  expect(ownOf(undefined, 3500n)).toEqual(named);
  // Set in A’s dashboard: another plan’s price is not its own, and one of no plan is if it costs as much.
  expect(ownOf('ref_plan_starter')).toEqual({ ...named, formerReferences: [own] });
  expect(ownOf('price_dashboard')).toEqual({ ...named, formerReferences: ['price_dashboard', own] });
  expect(ownOf('price_dashboard', 3500n)).toEqual({ ...named, formerReferences: ['price_dashboard'] });
});
