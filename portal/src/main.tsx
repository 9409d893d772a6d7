import { options, render } from 'preact';
import { afterPress } from './after-press';
import { App } from './App';
import { takeToken } from './token';

// What arrives while something is pressed is shown after the press.
options.debounceRendering = afterPress;

const place = document.getElementById('page');
if (place !== null) render(<App token={takeToken()} />, place);
