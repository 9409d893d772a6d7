import { Navigate, useParams } from '@tanstack/react-router';
import { useSession } from '../api/session';
import { Shell } from './Shell';

/** The pages of an organization; who has left it meanwhile is led to the start. */
export function WorkspaceFrame() {
  const { organization: slug } = useParams({ strict: false });
  const { organizations } = useSession();
  return organizations.some((known) => known.slug === slug) ? <Shell /> : <Navigate to="/" replace />;
}
