import { setNonce } from 'get-nonce';

/** The nonce that permits style elements in the page. Vite writes it into the head. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// Used by react-style-singleton, with which Mantine's dialogs prevent the page from scrolling.
setNonce(nonce);
