sql:
INSERT INTO episode VALUES (1, 'p', 'w', 'r', 1, '0', 2, 20, 4, 'failed', 1, 4);
INSERT INTO object (id, episode, name) VALUES (1, 1, 'a'), (2, 2, 'b');
INSERT INTO linkage (episode, object, parent) VALUES (1, 1, 2);
