import { useMergedRef } from '@mantine/hooks';
import type { ComponentProps } from 'react';
import { useFocusKept } from './use-focus-kept';

interface FocusKeepingButtonProps extends ComponentProps<'button'> {
  'data-loading'?: boolean;
}

/**
 * The element of a button. The library disables a busy button, which would lose the focus for good. This one keeps the
 * focus, but cannot be pressed. If it is removed, its dialog or the content gets the focus.
 */
export function FocusKeepingButton(props: FocusKeepingButtonProps) {
  const {
    'data-loading': isBusy = false,
    disabled = false,
    type = 'button',
    onClick,
    ref,
    ...button
  } = props;
  const element = useMergedRef(useFocusKept(), ref);
  return (
    <button
      {...button}
      ref={element}
      type={type}
      data-loading={isBusy || undefined}
      disabled={disabled && !isBusy}
      {...(isBusy && { 'aria-disabled': true, 'aria-busy': true })}
      onClick={(event) => {
        // Also prevents the click that Enter in a field triggers on the form's button.
        if (isBusy) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}
