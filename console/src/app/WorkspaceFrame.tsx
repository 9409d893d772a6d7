import { Navigate, useParams } from '@tanstack/react-router';
import { useSession } from '../api/session';
import { Shell } from './Shell';

/** The pages of an organization. An operator who is no longer a member is redirected to the start. */
export function WorkspaceFrame() {
  const { organization: slug } = useParams({ strict: false });
  const { organizations } = useSession();
  return organizations.some((known) => known.slug === slug) ? <Shell /> : <Navigate to="/" replace />;
}
