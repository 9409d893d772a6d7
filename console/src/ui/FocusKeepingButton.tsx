import type { ComponentProps } from 'react';

interface FocusKeepingButtonProps extends ComponentProps<'button'> {
  'data-loading'?: boolean;
}

/**
 * The element of a button. While it is busy the library makes it `disabled`, by which it would lose the focus for good; here it
 * keeps the focus, and cannot be pressed.
 */
export function FocusKeepingButton(props: FocusKeepingButtonProps) {
  const { 'data-loading': isBusy = false, disabled = false, type = 'button', onClick, ...button } = props;
  return (
    <button
      {...button}
      type={type}
      data-loading={isBusy || undefined}
      disabled={disabled && !isBusy}
      {...(isBusy && { 'aria-disabled': true, 'aria-busy': true })}
      onClick={(event) => {
        // Also the click that Enter in a field makes of its form's button.
        if (isBusy) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}
