import { useEffect } from 'react';

/**
 * Gives the search and its results the roles of a combobox and its options. The library moves through the results by
 * an attribute of the selected one only, which no screen reader reads.
 *
 * It also selects the first result where none is selected: the library does so only when the text changes, so Enter
 * would do nothing with results that the API answers later.
 *
 * @param listId id of the list of results; empty while there is none
 * @param onSelected called with the selected result's place, from which the library moves on
 */
export function useSearchRoles(listId: string, onSelected: (place: number) => void): void {
  useEffect(() => {
    const list = listId === '' ? null : document.getElementById(listId);
    const input = list?.closest('[role="dialog"]')?.querySelector('input');
    if (list === null || input === undefined || input === null) return undefined;
    input.setAttribute('role', 'combobox');
    input.setAttribute('aria-expanded', 'true');
    input.setAttribute('aria-autocomplete', 'list');
    input.setAttribute('aria-controls', listId);
    list.setAttribute('role', 'listbox');
    list.setAttribute('aria-label', 'Results');
    const mark = () => {
      const results = [...list.querySelectorAll('[data-action]')];
      const selected = results.findIndex((result) => result.hasAttribute('data-selected'));
      if (selected === -1) results[0]?.setAttribute('data-selected', 'true');
      if (results.length > 0) onSelected(Math.max(selected, 0));
      let selectedId = '';
      for (const [place, result] of results.entries()) {
        const isSelected = result.hasAttribute('data-selected');
        result.id = `${listId}-${place}`;
        result.setAttribute('role', 'option');
        result.setAttribute('aria-selected', String(isSelected));
        if (isSelected) selectedId = result.id;
      }
      if (selectedId === '') input.removeAttribute('aria-activedescendant');
      else input.setAttribute('aria-activedescendant', selectedId);
    };
    mark();
    const changes = new MutationObserver(mark);
    changes.observe(list, { childList: true, subtree: true, attributeFilter: ['data-selected'] });
    return () => {
      // If nothing is found, there is no list.
      changes.disconnect();
      input.setAttribute('aria-expanded', 'false');
      input.removeAttribute('aria-controls');
      input.removeAttribute('aria-activedescendant');
    };
  }, [listId, onSelected]);
}
