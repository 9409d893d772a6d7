import { useId } from 'preact/hooks';

/**
 * A disabled button stays focusable and shows the reason. It is the same element as the enabled one: another element
 * would lose the focus, and a press that had begun.
 */
export function ReasonedButton(props: {
  label: string;
  reason: string | null;
  danger?: boolean;
  onPress: () => void;
}) {
  const { label, reason, danger = false, onPress } = props;
  const described = useId();
  const isOff = reason !== null;
  return (
    <div class={isOff ? 'refused' : undefined}>
      <button
        type="button"
        class={danger && !isOff ? 'danger' : undefined}
        aria-disabled={isOff}
        {...(isOff && { 'aria-describedby': described })}
        onClick={() => !isOff && onPress()}
      >
        {label}
      </button>
      {isOff && (
        <p id={described} class="hint">
          {reason}
        </p>
      )}
    </div>
  );
}
