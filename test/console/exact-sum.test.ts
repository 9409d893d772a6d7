import { exactSum } from '../../console/src/ui/exact-sum';
import { formatQuantity } from '../../console/src/ui/quantity';

test.each([
  [[], '0'],
  [[0.1, 0.2], '0.3'],
  [[9_007_199_254_740_991, 0.5, 0.25], '9,007,199,254,740,991.75'],
  [[9_007_199_254_740_991, 2], '9,007,199,254,740,993'],
  [[4_503_599_627_370_495.5, 0.000_001], '4,503,599,627,370,495.500001'],
  [[1e-7, 1e-12], '0.000000100001'],
])('%j are %s in all', (quantities, total) => {
  expect(formatQuantity(exactSum(quantities))).toBe(total);
});
