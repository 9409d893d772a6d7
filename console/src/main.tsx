import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '@mantine/spotlight/styles.layer.css';
import './app/global.css';
import './app/forced-colours.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { SessionGuard } from './app/SessionGuard';
import { SignInAgain } from './app/SignInAgain';
import { StepUpDialog } from './app/StepUpDialog';
import { nonce } from './app/nonce';
import { queryClient } from './app/query-client';
import { router } from './app/router';
import { readableColours, theme } from './app/theme';

const place = document.getElementById('root');
if (place === null) throw new Error('The page has no element #root.');
createRoot(place).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={readableColours}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <Notifications position="bottom-right" />
      <QueryClientProvider client={queryClient}>
        <SessionGuard />
        <RouterProvider router={router} />
        <StepUpDialog />
        <SignInAgain />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
