-- Whether Purser has used the new credential once. Null until it was published.
alter table service_rotations add column verified boolean;
