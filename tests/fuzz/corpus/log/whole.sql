sql:
INSERT INTO episode VALUES (1, 'p.yaml', 'w.yaml', 'r.yaml', 1, '0.1.0', 2000000, 20000000, 4000000000, 'failed', 1, 4000000000);
INSERT INTO object (id, episode, name, kind) VALUES (1, 1, 'cup', 'body'), (2, 1, 'base', 'base'), (3, 1, 'shoulder', 'joint'), (4, 1, 'arm', 'link'), (9, 1, 'eye', 'camera');
INSERT OR REPLACE INTO pose (object, t, x, y, z, qw, qx, qy, qz) VALUES (1, 0, 0, 0, 0, 1000000, 0, 0, 0), (1, 100000, 1000000, 0, 0, 600000, 0, 0, 800000), (2, 0, 0, 0, 0, 1000000, 0, 0, 0);
INSERT OR REPLACE INTO joint_state (joint, t, position) VALUES (3, 0, 0), (3, 50000, 1500000);
INSERT INTO linkage (episode, object, parent, joint, joint_kind, x, y, z, qw, qx, qy, qz, axis_x, axis_y, axis_z) VALUES (1, 4, 2, 3, 'revolute', 0, 0, 1, 1, 0, 0, 0, 0, 0, 1), (1, 9, 4, NULL, 'fixed', 0, 0, 0.1, 1, 0, 0, 0, NULL, NULL, NULL);
