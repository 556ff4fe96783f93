sql:
DELETE FROM meta;
