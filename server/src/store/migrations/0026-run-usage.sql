-- What a run has used, as far as its assistant says (D-71), beside its result: sums do not read results, and outlive them.
alter table runs add column usage json;
