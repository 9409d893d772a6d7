import { Code } from '@mantine/core';
import { config } from '../../api/config';
import { useWorkspace } from '../../app/workspace';
import { ShownOnce } from '../../ui/ShownOnce';

/** Shows a new key, the only time it is shown. */
export function ShowSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { env } = useWorkspace();
  return (
    <ShownOnce
      title="The key, shown once"
      secret={secret}
      whenLost="It is not stored here: a lost key is replaced by a new one."
      file={{
        name: 'tollgate.env',
        text: `TOLLGATE_API_KEY=${secret}\nTOLLGATE_URL=${config.apiUrls[env]}\n`,
      }}
      confirmation="I have stored the key"
      onClose={onClose}
    >
      It works on <Code>{config.apiUrls[env]}</Code> and nowhere else.
    </ShownOnce>
  );
}
