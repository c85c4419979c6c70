-- Where the request that a run comes from stands in its trace, in the form of the header `traceparent`; null where it has none.
alter table runs add column traceparent text;
