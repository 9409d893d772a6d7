import {
  Alert,
  Anchor,
  createTheme,
  Modal,
  type CSSVariablesResolver,
  type MantineColorsTuple,
} from '@mantine/core';
import { FocusKeepingButton } from '../ui/FocusKeepingButton';

/** A deep teal, dark enough for white text from its fifth shade on. */
const toll: MantineColorsTuple = [
  '#e8f6f5',
  '#d3eae8',
  '#a5d5d1',
  '#74bfb8',
  '#4daca4',
  '#35a097',
  '#0b7d74',
  '#086b63',
  '#055e57',
  '#004f49',
];

/** Colour of a filled button of a destructive action: dark enough for white text, unlike the library's own red. */
export const DESTRUCTIVE = 'red.9';

export const theme = createTheme({
  primaryColor: 'toll',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  colors: { toll },
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace',
  defaultRadius: 'sm',
  cursorType: 'pointer',
  // The library animates by default, whatever the visitor has set in the system.
  respectReducedMotion: true,
  headings: { fontWeight: '650' },
  components: {
    Button: { defaultProps: { component: FocusKeepingButton } },
    // The focus goes to the first item. The library's own place for it has no name, so nothing would be read.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    // A table wider than its container can also be scrolled by keyboard.
    TableScrollContainer: { defaultProps: { scrollAreaProps: { viewportProps: { tabIndex: 0 } } } },
    // Their close button is a cross without text.
    Modal: Modal.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close the message' } } },
    // Not distinguished by colour only.
    Alert: Alert.extend({ styles: { title: { color: 'var(--mantine-color-text)' } } }),
    Anchor: Anchor.extend({ defaultProps: { underline: 'not-hover' } }),
  },
});

/**
 * Readable text needs a contrast of 4.5 (WCAG 2.2, 1.4.3). The library's grey for secondary text has 3.3 on white, and a
 * dark theme's link 4.1 in a row under the pointer, 3.3 in a warning.
 */
export const readableColours: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-placeholder': colors.gray[6],
    '--mantine-color-error': colors.red[9],
  },
  dark: {
    '--mantine-color-dimmed': colors.dark[1],
    '--mantine-color-placeholder': colors.dark[2],
    '--mantine-color-error': colors.red[4],
    '--mantine-color-anchor': toll[2],
  },
});
