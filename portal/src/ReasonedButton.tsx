import { useId } from 'preact/hooks';

/** A disabled button stays focusable and shows the reason. */
export function ReasonedButton(props: {
  label: string;
  reason: string | null;
  danger?: boolean;
  onPress: () => void;
}) {
  const { label, reason, danger = false, onPress } = props;
  const described = useId();
  if (reason === null) {
    return (
      <button type="button" class={danger ? 'danger' : ''} onClick={onPress}>
        {label}
      </button>
    );
  }
  return (
    <div class="refused">
      <button type="button" aria-disabled="true" aria-describedby={described}>
        {label}
      </button>
      <p id={described} class="hint">
        {reason}
      </p>
    </div>
  );
}
