import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { leave } from './api';
import type { Ending } from './Closed';
import { History } from './History';
import { OpenPayments } from './OpenPayments';
import { Refusal } from './refusal';
import { done, page } from './strings';
import { Subscription } from './Subscription';
import type { PortalView } from './types';
import { UsageList } from './UsageList';
import type { CommandCallbacks } from './use-command';
import { useOutcomes, type Found } from './use-outcomes';
import { useView } from './use-view';

/** What is said of a command that takes longer than its request. A refusal is shown apart. */
const LATER: Record<Found, string> = {
  under_way: done.underWay,
  done: done.later,
  refused: '',
  unknown: '',
};

/**
 * The page of a customer whose session is open.
 *
 * @param props.opened by a button that has been removed, so the heading gets the focus
 */
export function Page({ opened, onClosed }: { opened: boolean; onClosed: (how: Ending) => void }) {
  const { view, stale, refresh, pause } = useView(onClosed);
  const [said, setSaid] = useState('');
  /** Whether it answers what the customer has just done. What comes by itself would move the page under a reader. */
  const isAnswerRef = useRef(false);
  const outcomes = useOutcomes((found) => {
    isAnswerRef.current = false;
    setSaid(LATER[found]);
    if (found !== 'under_way') refresh();
  });
  useOtherCustomer(view?.customer.key, () => {
    setSaid('');
    outcomes.close();
  });
  useBrand(view);
  const heading = useRef<HTMLHeadingElement>(null);
  const status = useRef<HTMLDivElement>(null);
  const isThere = view !== null;
  // In the layout effect, because a later effect could take the focus from where the keyboard has moved.
  useLayoutEffect(() => {
    if (opened && isThere) heading.current?.focus();
  }, [opened, isThere]);
  useLayoutEffect(() => {
    // The pressed button may be removed once the command is done. The message then gets the focus.
    if (said !== '' && isAnswerRef.current && document.activeElement === document.body)
      status.current?.focus();
  }, [view, said]);
  if (view === null) {
    return (
      <main class="lone">
        <p role="status">{page.loading}</p>
      </main>
    );
  }
  const { brand, subscriptions, shows } = view;
  const answer = (words: string): void => {
    isAnswerRef.current = true;
    setSaid(words);
  };
  const say = (words: string): void => {
    answer(words);
    refresh();
  };
  const goAway = async (): Promise<void> => {
    // A read that is answered after the session has ended would say that it ended on its own.
    const resume = pause();
    try {
      await leave();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // A customer who wrongly believes to have left would leave the page to the next user of this device.
      if (error.code !== 'portal_session_required') {
        answer(page.notLeft);
        resume();
        return;
      }
    }
    onClosed('left');
  };
  /** Closes a message. Its button goes with it, so the heading gets the focus. */
  const closeMessage = (close: () => void): void => {
    close();
    heading.current?.focus();
  };
  const callbacks: CommandCallbacks = {
    onSent: outcomes.close,
    onDone: say,
    onUnderWay: (operationId) => {
      outcomes.watch(operationId);
      say(done.underWay);
    },
  };
  return (
    <div class="frame">
      <Header view={view} onLeave={() => void goAway()} />
      <main>
        <h1 ref={heading} tabIndex={-1}>
          {page.heading}
        </h1>
        {view.customer.name !== null && (
          <p class="for">
            <bdi>{page.greeting(view.customer.name)}</bdi>
          </p>
        )}
        {/* Always present, so that text added to it is read aloud. */}
        <div ref={status} tabIndex={-1} role="status" class={said === '' ? 'said' : 'said shown'}>
          {said !== '' && (
            <>
              <p>{said}</p>
              <button type="button" class="quiet" onClick={() => closeMessage(() => setSaid(''))}>
                {page.close}
              </button>
            </>
          )}
        </div>
        <div role="alert" class={outcomes.refusal === null ? 'said' : 'said shown refused'}>
          {outcomes.refusal !== null && (
            <>
              <p>
                {done.refused} {outcomes.refusal}
              </p>
              <button type="button" class="quiet" onClick={() => closeMessage(outcomes.close)}>
                {page.close}
              </button>
            </>
          )}
        </div>
        {stale && (
          <p class="problem" role="status">
            {page.stale}
          </p>
        )}
        <div class="columns">
          <div class="column">
            {subscriptions.length === 0 && (
              <section class="card">
                <h2>{page.none.title}</h2>
                <p>{page.none.about}</p>
              </section>
            )}
            {subscriptions.map((subscription) => (
              <Subscription
                key={subscription.id}
                subscription={subscription}
                shows={shows}
                merchant={brand.name}
                callbacks={callbacks}
              />
            ))}
            <OpenPayments payments={view.openPayments} />
          </div>
          <div class="column">
            {shows.includes('usage') && <UsageList view={view} />}
            <History view={view} />
          </div>
        </div>
      </main>
    </div>
  );
}

function Header({ view: { brand, returnUrl }, onLeave }: { view: PortalView; onLeave: () => void }) {
  return (
    <header>
      <div class="brand">
        {brand.logo !== null && <img src={brand.logo} alt="" height={36} />}
        <bdi class="name">{brand.name}</bdi>
      </div>
      <nav aria-label={page.heading}>
        {returnUrl !== null && (
          <a href={returnUrl} rel="noreferrer">
            <bdi>{page.back(brand.name)}</bdi>
          </a>
        )}
        <button type="button" class="quiet" onClick={onLeave}>
          {page.leave}
        </button>
      </nav>
    </header>
  );
}

/**
 * Calls `onChange` when the page has become another customer's, because a link of theirs was opened in another tab:
 * messages about the previous customer's requests do not concern them.
 */
function useOtherCustomer(key: string | undefined, onChange: () => void): void {
  const shownRef = useRef(key);
  useLayoutEffect(() => {
    if (shownRef.current !== undefined && shownRef.current !== key) onChange();
    shownRef.current = key;
  });
}

/** Applies the merchant's name and colours, property by property: the page's document has no inline style. */
function useBrand(view: PortalView | null): void {
  const brand = view?.brand;
  useEffect(() => {
    if (brand === undefined) return;
    document.title = page.title(brand.name);
    const { style } = document.documentElement;
    for (const theme of ['light', 'dark'] as const) {
      style.setProperty(`--${theme}-accent`, brand[theme].accent);
      style.setProperty(`--${theme}-on-accent`, brand[theme].onAccent);
    }
  }, [brand]);
}
