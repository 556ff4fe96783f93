sql:
UPDATE meta SET value = '9999999999999' WHERE key = 'schema';
