import { setNonce } from 'get-nonce';

/** The nonce that lets style elements stand in the page; Vite writes it into the head. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// Read by react-style-singleton, with which Mantine's dialogs keep the page from scrolling.
setNonce(nonce);
