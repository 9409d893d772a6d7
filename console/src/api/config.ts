/** Settings that the console host writes into the page; see src/http/console-page. */
interface ConsoleConfig {
  apiUrls: { sandbox: string; production: string };
  temporal: { uiUrl: string; namespace: string } | null;
  /** Whether the browser sent a session cookie, valid or not. */
  hasSession: boolean;
}

const WHILE_DEVELOPING: ConsoleConfig = {
  apiUrls: { sandbox: 'http://127.0.0.1:4001', production: 'http://127.0.0.1:4002' },
  temporal: null,
  hasSession: true,
};

/** The page's settings. `npm run console:dev` does not fill them in. */
export const config: ConsoleConfig = read();

function read(): ConsoleConfig {
  const text = document.getElementById('console-config')?.textContent.trim() ?? '';
  return text.startsWith('{') ? (JSON.parse(text) as ConsoleConfig) : WHILE_DEVELOPING;
}
