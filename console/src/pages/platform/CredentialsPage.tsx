import { useQuery } from '@tanstack/react-query';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { CredentialKeys } from './CredentialKeys';
import { credentialsQuery } from './credentials-query';
import { CredentialMigration } from './CredentialMigration';
import { KeyHolders } from './KeyHolders';
import { PlatformFrame } from './PlatformFrame';
import { Loading } from '../../ui/Loading';

/** The keys that seal the secrets of all provider connections, and their rotation. */
export function CredentialsPage() {
  const { data: report, isPending, isError, error, refetch } = useQuery(credentialsQuery);
  return (
    <PlatformFrame
      title="Credential keys"
      about="The secrets of provider connections are sealed under these keys. To rotate: add a key to every process, make it active, migrate, and remove the old one when nothing is pending."
    >
      {isPending && <Loading label="Loading the report" />}
      {isError && <ProblemPanel error={error} retry={() => void refetch()} />}
      {report !== undefined && !isError && (
        <>
          <CredentialKeys report={report} />
          <CredentialMigration report={report} />
          <KeyHolders report={report} />
        </>
      )}
    </PlatformFrame>
  );
}
