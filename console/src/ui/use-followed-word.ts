import { useEffect, useEffectEvent, useRef } from 'react';

/**
 * Lets a field follow its word in the address when a link, Back or Forward sets it. What the field itself has sent to
 * the address is ignored, because the user may have typed on since.
 *
 * @param word the word in the address
 * @param onSet called with a word that did not come from the field
 * @returns called with each word before the field sends it
 */
export function useFollowedWord(word: string, onSet: (word: string) => void): (sent: string) => void {
  const shownRef = useRef(word);
  /** Sent, and not in the address yet. */
  const sentRef = useRef<string[]>([]);
  const follow = useEffectEvent(() => {
    if (word === shownRef.current) return;
    shownRef.current = word;
    const place = sentRef.current.indexOf(word);
    // The router may skip a word that was soon followed by another.
    sentRef.current = place === -1 ? [] : sentRef.current.slice(place + 1);
    if (place === -1) onSet(word);
  });
  useEffect(() => follow(), [word]);
  return (sent) => {
    sentRef.current.push(sent);
  };
}
