import { Button, FileButton, Group, Image, Input } from '@mantine/core';
import { useId, useRef, useState, type ReactNode } from 'react';

/** Largest image that the API accepts. */
const MAX_BYTES = 32_768;

const TOO_LARGE = 'The image is larger than 32 KB: choose a smaller one.';

interface LogoInputProps {
  /** A `data:` URL. */
  value?: string | null;
  onChange?: (value: string | null) => void;
  error?: ReactNode;
}

/** Input of an image stored with the settings. */
export function LogoInput({ value = null, onChange, error }: LogoInputProps) {
  const [isTooLarge, setTooLarge] = useState(false);
  const choose = useRef<HTMLButtonElement>(null);
  const forgetFile = useRef<() => void>(null);
  const id = useId();
  const [labelId, descriptionId, errorId] = [`${id}-label`, `${id}-description`, `${id}-error`];
  const wrong = isTooLarge ? TOO_LARGE : (error ?? null);
  const read = (file: File | null): void => {
    if (file === null) return;
    // Otherwise the browser would not report the same file when it is chosen again.
    forgetFile.current?.();
    setTooLarge(file.size > MAX_BYTES);
    if (file.size > MAX_BYTES) return;
    const reader = new FileReader();
    reader.onload = () => {
      if (typeof reader.result === 'string') onChange?.(reader.result);
    };
    reader.readAsDataURL(file);
  };
  return (
    <Input.Wrapper
      label="Logo"
      labelElement="div"
      labelProps={{ id: labelId }}
      description="PNG, JPEG or WebP, at most 32 KB."
      descriptionProps={{ id: descriptionId }}
      error={wrong}
      // Announced, because the focus is on a button by then, and not in a field that the error describes.
      errorProps={{ id: errorId, role: 'alert' }}
    >
      <Group
        mt={5}
        role="group"
        aria-labelledby={labelId}
        aria-describedby={wrong === null ? descriptionId : `${descriptionId} ${errorId}`}
      >
        {value !== null && <Image src={value} alt="The logo" h={36} w="auto" maw={140} fit="contain" />}
        <FileButton accept="image/png,image/jpeg,image/webp" onChange={read} resetRef={forgetFile}>
          {(button) => (
            <Button {...button} ref={choose} variant="default">
              Choose
            </Button>
          )}
        </FileButton>
        {value !== null && (
          <Button
            variant="default"
            onClick={() => {
              onChange?.(null);
              // This button is removed together with the image.
              choose.current?.focus();
            }}
          >
            Remove
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  );
}
