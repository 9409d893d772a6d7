import { useEffect, useState } from 'preact/hooks';
import { Closed, type Ending } from './Closed';
import { Opening } from './Opening';
import { Page } from './Page';
import { takeToken } from './token';

type Place = { at: 'opening'; token: string } | { at: 'page'; visit: number } | { at: 'closed'; how: Ending };

/** Shows one of the page's three states: before a link is opened, open, or closed. */
export function App({ token }: { token: string | null }) {
  const [place, setPlace] = useState<Place>(
    token === null ? { at: 'page', visit: 0 } : { at: 'opening', token },
  );
  useEffect(() => {
    // Another link opened in the same window changes only the fragment.
    const look = (): void => {
      const another = takeToken();
      if (another !== null) setPlace({ at: 'opening', token: another });
    };
    window.addEventListener('hashchange', look);
    return () => window.removeEventListener('hashchange', look);
  }, []);
  const close = (how: Ending): void => setPlace({ at: 'closed', how });
  switch (place.at) {
    case 'opening':
      return (
        <Opening
          key={place.token}
          token={place.token}
          onOpened={() => setPlace({ at: 'page', visit: 1 })}
          onRefused={close}
        />
      );
    case 'page':
      return <Page key={place.visit} opened={place.visit > 0} onClosed={close} />;
    case 'closed':
      return <Closed how={place.how} onRetry={() => setPlace({ at: 'page', visit: 2 })} />;
  }
}
