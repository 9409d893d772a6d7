import { render } from 'preact';
import { App } from './App';
import { takeToken } from './token';

const place = document.getElementById('page');
if (place !== null) render(<App token={takeToken()} />, place);
