import { Navigate, useParams } from '@tanstack/react-router';
import { useSession } from '../api/session';
import { Shell } from './Shell';

/**
 * The pages of an organization. An operator who is no longer a member is redirected to the start, without a question:
 * the forms of its pages are gone.
 */
export function WorkspaceFrame() {
  const { organization: slug } = useParams({ strict: false });
  const { organizations } = useSession();
  const isMember = organizations.some((known) => known.slug === slug);
  return isMember ? <Shell /> : <Navigate to="/" replace ignoreBlocker />;
}
