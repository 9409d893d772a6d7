import { Button, Group, Stack, Stepper } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import type { ChangedConnection, Connection } from '../../api/resources';
import { focusFirst, focusFirstWrong } from '../../ui/focus-first-wrong';
import { isolate } from '../../ui/isolate';
import { stepOf, useConnectionForm } from './connection-form';
import { CredentialsStep } from './CredentialsStep';
import { ProviderStep } from './ProviderStep';
import { SettingsStep } from './SettingsStep';
import { TestStep } from './TestStep';
import { useSaveConnection } from './use-save-connection';
import { WebhookStep } from './WebhookStep';
import { Dialog } from '../../ui/Dialog';
import { DialogActions } from '../../ui/DialogActions';

const STEPS = ['Provider', 'Credentials', 'Settings', 'Test', 'Webhook'];
/** The last step before the connection is stored. Later steps use the stored one. */
const LAST_OF_FORM = 2;

interface ConnectionWizardProps {
  /** Null creates a new one. */
  connection: Connection | null;
  onClose: () => void;
}

/** Creates or edits a connection: the input is stored after the settings step, and then tested. */
export function ConnectionWizard({ connection, onClose }: ConnectionWizardProps) {
  const [step, setStep] = useState(0);
  const form = useConnectionForm(connection);
  const save = useSaveConnection(connection, form, setStep, () => setStep(LAST_OF_FORM + 1));
  const element = useRef<HTMLFormElement>(null);
  const showRefused = useEffectEvent(() => focusFirstWrong(element.current, Object.keys(form.errors)));
  const content = useRef<HTMLDivElement>(null);
  const isStored = save.data !== undefined;
  useEffect(() => {
    // What had the focus, such as the field in which Enter was pressed, went with its step.
    if (document.activeElement === document.body) focusFirst(content.current);
  }, [step, isStored]);
  useEffect(() => {
    if (save.isError) showRefused();
  }, [save.isError]);
  const next = () => {
    const { errors } = form.validate();
    const wrong = stepOf(errors);
    if (wrong !== undefined && wrong <= step) {
      // The step's fields must be rendered before one of them gets the focus.
      flushSync(() => setStep(wrong));
      focusFirstWrong(element.current, Object.keys(errors));
      return;
    }
    form.clearErrors();
    if (step < LAST_OF_FORM) setStep(step + 1);
    else save.mutate(form.getValues());
  };
  const isNew = connection === null;
  const title = isNew ? 'New connection' : `Edit ${isolate(connection.displayName)}`;
  return (
    <Dialog
      isBusy={save.isPending}
      isTyped={!isStored && form.isDirty()}
      opened
      onClose={onClose}
      title={title}
      size="xl"
      closeOnClickOutside={false}
    >
      <Stack>
        <Stepper active={step} size="xs" iconSize={26}>
          {STEPS.map((label, index) => (
            <Stepper.Step
              key={label}
              label={label}
              allowStepSelect={false}
              aria-disabled
              {...(index === step && { 'aria-current': 'step' })}
            />
          ))}
        </Stepper>
        <div ref={content}>
          {save.data === undefined ? (
            <form
              ref={element}
              noValidate
              onSubmit={(event) => {
                event.preventDefault();
                next();
              }}
            >
              <Stack>
                {step === 0 && <ProviderStep form={form} isNew={isNew} />}
                {step === 1 && <CredentialsStep form={form} connection={connection} />}
                {step === LAST_OF_FORM && <SettingsStep form={form} />}
                <DialogActions
                  action={save}
                  submit={step < LAST_OF_FORM ? 'Next' : isNew ? 'Create connection' : 'Save changes'}
                  cancel={step === 0 ? 'Cancel' : 'Back'}
                  onCancel={step === 0 ? onClose : () => setStep(step - 1)}
                />
              </Stack>
            </form>
          ) : (
            <Stored saved={save.data} step={step} setStep={setStep} onClose={onClose} />
          )}
        </div>
      </Stack>
    </Dialog>
  );
}

interface StoredProps {
  saved: ChangedConnection;
  step: number;
  setStep: (step: number) => void;
  onClose: () => void;
}

/** The steps after it was stored. */
function Stored({ saved, step, setStep, onClose }: StoredProps): ReactNode {
  const isLast = step === STEPS.length - 1;
  return (
    <Stack>
      {isLast ? <WebhookStep connection={saved} /> : <TestStep saved={saved} />}
      <Group justify="flex-end">
        {isLast && (
          <Button variant="default" onClick={() => setStep(step - 1)}>
            Back
          </Button>
        )}
        <Button onClick={isLast ? onClose : () => setStep(step + 1)}>{isLast ? 'Done' : 'Next'}</Button>
      </Group>
    </Stack>
  );
}
