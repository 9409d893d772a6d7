import { Code, Radio, Group, Stack } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { PasswordField } from '../../ui/PasswordField';
import type { SecretField } from './provider-fields';

interface SecretInputProps {
  field: SecretField;
  /** Its masked form; null if none is stored. */
  stored: string | null;
  value: string;
  error: ReactNode;
  onChange: (value: string) => void;
}

/** Input of a secret. A stored one can be kept or replaced. */
export function SecretInput({ field, stored, value, error, onChange }: SecretInputProps) {
  const [isReplaced, setReplaced] = useState(value !== '');
  const input = (
    <PasswordField
      label={stored === null ? field.label : `New ${field.label.toLowerCase()}`}
      description={field.help}
      data-path={`secrets.${field.name}`}
      autoComplete="off"
      spellCheck={false}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
  if (stored === null) return input;
  return (
    <Stack gap="xs">
      <Radio.Group
        label={field.label}
        value={isReplaced ? 'replace' : 'keep'}
        onChange={(choice) => {
          setReplaced(choice === 'replace');
          // With "Keep", text typed before is not sent.
          onChange('');
        }}
      >
        <Group mt={4}>
          <Radio
            value="keep"
            label={
              <>
                Keep stored <Code>{stored}</Code>
              </>
            }
          />
          <Radio value="replace" label="Replace" />
        </Group>
      </Radio.Group>
      {isReplaced && input}
    </Stack>
  );
}
