import { TagsInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';

const MOST = 3;

/** The properties by which a feature's usage can be split. */
export function DimensionsInput(field: GetInputPropsReturnType) {
  return (
    <TagsInput
      label="Dimensions"
      description={`Up to ${MOST} properties of its uses, such as model, by which usage can be split. One counts from when it is declared.`}
      placeholder="A name, then Enter"
      maxTags={MOST}
      acceptValueOnBlur
      {...field}
    />
  );
}
